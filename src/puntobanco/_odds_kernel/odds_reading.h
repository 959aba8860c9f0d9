/* Exact odds: a program is read from numbers, in the order in which odds/kernel.py writes them. */

enum { WEIGHT_MAX = 1000000, LABELS_MAX = 400, CLASSES_MAX = 4096, PARTS_MAX = 1 << 20 };

struct reader {
    const int32_t *next, *end;
    int failed;
};

/* The next number, which must be from lowest to highest. */
static int32_t read_number(struct reader *reader, int32_t lowest, int32_t highest)
{
    if (reader->failed || reader->next == reader->end || *reader->next < lowest || *reader->next > highest) {
        reader->failed = 1;
        return lowest;
    }
    return *reader->next++;
}

/* How many parts follow; each takes at least one number, so a wrong length asks for no more memory than was given. */
static int32_t read_length(struct reader *reader)
{
    ptrdiff_t left = reader->end - reader->next;
    return read_number(reader, 0, left < PARTS_MAX ? (int32_t)left : PARTS_MAX);
}

static void *read_room(struct reader *reader, int32_t length, size_t size)
{
    void *made = reader->failed ? NULL : calloc((size_t)length + 1, size);
    reader->failed |= made == NULL;
    return made;
}

static void read_classes(struct reader *reader, struct program *program)
{
    program->cards = read_number(reader, 1, CARDS_MAX);
    for (int card = 0; card < program->cards; card++)
        program->value_of[card] = read_number(reader, 0, 9);
    for (int place = 0; place < 100; place++) {
        program->courses[place / 10][place % 10].hand = read_number(reader, NOBODY, BANKER);
        program->courses[place / 10][place % 10].banker_draws = read_number(reader, 0, 1023);
    }
    if (!reader->failed)
        make_round_lengths(&program->round_lengths, (const struct course(*)[10])program->courses);
    program->classes = read_number(reader, 1, CLASSES_MAX);
    program->card_class = read_room(reader, program->classes, sizeof(struct card_class));
    for (int place = 0; place < program->classes && !reader->failed; place++) {
        struct card_class *cards = &program->card_class[place];
        cards->length = read_number(reader, 0, program->cards);
        for (int card = 0; card < cards->length; card++)
            cards->cards[card] = (uint8_t)read_number(reader, 0, program->cards - 1);
    }
}

static void read_quantities(struct reader *reader, struct program *program)
{
    int32_t last_class = program->classes - 1, labels[CELLS], slots[DRAWN];
    program->fallings = read_length(reader);
    program->falling = read_room(reader, program->fallings, sizeof(struct falling));
    for (int place = 0; place < program->fallings && !reader->failed; place++) {
        struct falling *falling = &program->falling[place];
        falling->card_class = read_number(reader, 0, last_class);
        falling->offset = read_number(reader, 0, DRAWN);
        falling->length = read_number(reader, 0, DRAWN);
    }
    program->values = program->fallings;
    program->form_sets = read_length(reader);
    program->form_set = read_room(reader, program->form_sets, sizeof(struct form_set));
    for (int place = 0; place < program->form_sets && !reader->failed; place++) {
        struct form_set *set = &program->form_set[place];
        set->size = read_number(reader, DRAW_MIN, DRAWN);
        set->labels = read_number(reader, 1, LABELS_MAX);
        for (int cell = 0; cell < CELLS; cell++)
            labels[cell] = read_number(reader, -1, set->labels - 1);
        if (!reader->failed && !make_forms(set, labels, (const struct course(*)[10])program->courses))
            reader->failed = 1;
    }
    program->applications = read_length(reader);
    program->application = read_room(reader, program->applications, sizeof(struct application));
    for (int place = 0; place < program->applications && !reader->failed; place++) {
        struct application *application = &program->application[place];
        application->card_class = read_number(reader, 0, last_class);
        application->form_set = read_number(reader, 0, program->form_sets - 1);
        if (reader->failed)
            return;
        /* The products are made once for all forms of a class, which follow each other. */
        for (int earlier = place; earlier >= 0; earlier--) {
            struct application *of_class = &program->application[earlier];
            if (of_class->card_class != application->card_class)
                break;
            if (of_class->largest < program->form_set[application->form_set].size)
                of_class->largest = program->form_set[application->form_set].size;
        }
        program->values += program->form_set[application->form_set].labels;
    }
    program->rounds = read_length(reader);
    program->round_class = read_room(reader, program->rounds, sizeof(int32_t));
    for (int place = 0; place < program->rounds && !reader->failed; place++)
        program->round_class[place] = read_number(reader, 0, last_class);
    program->values += 2 * program->rounds;
    program->two_pairs = read_length(reader);
    program->two_pair = read_room(reader, program->two_pairs, sizeof(struct two_pairs));
    for (int place = 0; place < program->two_pairs && !reader->failed; place++) {
        struct two_pairs *pairs = &program->two_pair[place];
        pairs->inner = read_number(reader, 0, last_class);
        pairs->outer = read_number(reader, 0, last_class);
        for (int total = 0; total < 10; total++)
            for (int other = 0; other < 10; other++) {
                pairs->weights[total][other] = read_number(reader, -WEIGHT_MAX, WEIGHT_MAX);
                if (pairs->weights[total][other])
                    pairs->totals[total][pairs->lengths[total]++] = other;
            }
    }
    program->values += program->two_pairs;
    program->enumerations = read_length(reader);
    program->enumeration = read_room(reader, program->enumerations, sizeof(struct enumeration));
    for (int place = 0; place < program->enumerations && !reader->failed; place++) {
        struct enumeration *enumeration = &program->enumeration[place];
        for (int slot = 0; slot < DRAWN; slot++)
            slots[slot] = read_number(reader, 0, last_class);
        for (int cell = 0; cell < CELLS; cell++)
            enumeration->weights[cell] = read_number(reader, -WEIGHT_MAX, WEIGHT_MAX);
        if (!reader->failed && !make_enumeration(enumeration, program, slots))
            reader->failed = 1;
    }
    program->values += program->enumerations;
}

static int compare_turns(const void *one, const void *other)
{
    return ((const struct count *)one)->turn - ((const struct count *)other)->turn;
}

/* Lists which cards are counted where, with the cards of one tally far apart: to add to a tally that was just
   added to takes longer. */
static void make_counts(struct reader *reader, struct program *program)
{
    int32_t by_value = program->rounds;
    for (int place = 0; place < program->classes; place++)
        program->card_class[place].by_value = -1;
    program->card_class[0].by_value = 0;
    for (int place = 0; place < program->applications; place++)
        program->card_class[program->application[place].card_class].by_value = 0;
    for (int place = 0; place < program->two_pairs; place++) {
        program->card_class[program->two_pair[place].inner].by_value = 0;
        program->card_class[program->two_pair[place].outer].by_value = 0;
    }
    for (int place = 0; place < program->classes; place++) {
        struct card_class *cards = &program->card_class[place];
        int32_t *tally = cards->by_value < 0 ? &cards->tally : &cards->by_value;
        *tally = program->tallies;
        program->tallies += cards->by_value < 0 ? 1 : 10;
    }
    program->round_tallies = program->tallies;
    int32_t groups = (program->rounds + CLASSES_TOGETHER - 1) / CLASSES_TOGETHER;
    program->tallies += 10 * groups * CLASSES_TOGETHER;
    program->count = read_room(reader, (program->classes + by_value) * program->cards, sizeof(struct count));
    uint8_t *turns = read_room(reader, program->tallies, sizeof(uint8_t));
    if (program->tallies > UINT16_MAX)
        reader->failed = 1;
    for (int place = 0; place < program->classes + program->rounds && !reader->failed; place++) {
        int lane = place - program->classes;
        const struct card_class *cards = &program->card_class[lane < 0 ? place : program->round_class[lane]];
        for (int card = 0; card < cards->length; card++) {
            int value = program->value_of[cards->cards[card]];
            int tally = cards->by_value < 0 ? cards->tally : cards->by_value + value;
            if (lane >= 0)
                tally = program->round_tallies + lane / CLASSES_TOGETHER * CLASSES_TOGETHER * 10 +
                        value * CLASSES_TOGETHER + lane % CLASSES_TOGETHER;
            program->count[program->counts++] = (struct count){(uint16_t)tally, cards->cards[card], turns[tally]++};
        }
    }
    free(turns);
    if (!reader->failed)
        qsort(program->count, (size_t)program->counts, sizeof(struct count), compare_turns);
}

static void read_sums(struct reader *reader, struct program *program)
{
    int32_t factors = 0;
    program->sums = read_length(reader);
    program->products = read_length(reader);
    program->sum_ends = read_room(reader, program->sums, sizeof(int32_t));
    program->product = read_room(reader, program->products, sizeof(struct product));
    program->factors = read_room(reader, (int32_t)(reader->end - reader->next), sizeof(int32_t));
    for (int sum = 0, product = 0; sum < program->sums && !reader->failed; sum++) {
        int32_t length = read_length(reader);
        for (int place = 0; place < length && !reader->failed; place++) {
            if (product == program->products) {
                reader->failed = 1;
                return;
            }
            struct product *made = &program->product[product++];
            made->coefficient = read_number(reader, INT32_MIN, INT32_MAX);
            made->begin = factors;
            for (int32_t left = read_length(reader); left > 0 && !reader->failed; left--)
                program->factors[factors++] = read_number(reader, 0, program->values + sum - 1);
            made->end = factors;
        }
        program->sum_ends[sum] = product;
    }
    program->values += program->sums;
    program->outcomes = read_length(reader);
    program->results = read_room(reader, program->outcomes, sizeof(int32_t));
    for (int place = 0; place < program->outcomes && !reader->failed; place++)
        program->results[place] = read_number(reader, 0, program->values - 1);
    reader->failed |= reader->next != reader->end;
}

/* The program of the numbers, or NULL if they make none. */
static struct program *read_program(const int32_t *numbers, size_t length)
{
    struct reader reader = {numbers, numbers + length, 0};
    struct program *program = calloc(1, sizeof *program);
    if (!program)
        return NULL;
    read_classes(&reader, program);
    if (!reader.failed)
        read_quantities(&reader, program);
    if (!reader.failed)
        make_counts(&reader, program);
    if (!reader.failed)
        read_sums(&reader, program);
    if (reader.failed) {
        free_program(program);
        return NULL;
    }
    return program;
}
