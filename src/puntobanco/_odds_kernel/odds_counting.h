/* Exact odds: a program is run. */

static uint64_t falling_factorial(int64_t count, int length)
{
    uint64_t result = 1;
    for (int taken = 0; taken < length; taken++)
        result *= (uint64_t)(count - taken);
    return result;
}

/* With the inner hand's two cards given, of values v and w, the pairs of the outer class with total a that do not use
   them are all such pairs, less twice the partners of either, plus two if the two given make such a pair themselves. */
static uint64_t evaluate_two_pairs(const struct two_pairs *pairs, const int32_t inner[10], const int32_t outer[10])
{
    int64_t result = 0;
    int32_t backwards[20]; /* The outer counts from 0 down, going round twice. */
    UNROLL for (int value = 0; value < 20; value++)
        backwards[value] = outer[(20 - value) % 10];
    for (int total = 0; total < 10; total++) {
        const int32_t *weights = pairs->weights[total];
        int32_t partners[10];
        int64_t all = 0;
        if (!pairs->lengths[total])
            continue;
        UNROLL for (int value = 0; value < 10; value++)
            partners[value] = -weights[2 * value % 10];
        for (int place = 0; place < pairs->lengths[total]; place++) {
            int other = pairs->totals[total][place];
            UNROLL for (int value = 0; value < 10; value++)
                partners[value] += weights[other] * backwards[value + 10 - other];
        }
        for (int value = 0; value < 10; value++)
            all += (int64_t)partners[value] * outer[value];
        for (int value = 0; value < 10; value++) {
            int partner = total >= value ? total - value : total + 10 - value;
            int64_t ways = (int64_t)inner[value] * (inner[partner] - (partner == value));
            result += ways * (all - 4 * (int64_t)partners[value] + 2 * (int64_t)weights[total]);
        }
    }
    return (uint64_t)result;
}

struct remaining {
    int32_t of[CARDS_MAX + 11];
    uint64_t unused[DRAWN + 1]; /* the ways of the cards that a round of so many leaves undrawn */
};

static inline void take(struct remaining *remaining, const struct enumeration *what, int unit, int change)
{
    remaining->of[unit] -= change;
    remaining->of[what->value_unit[unit]] -= change;
}

/* The weighed ways of the third cards. */
static uint64_t finish(const struct enumeration *what, struct remaining *remaining, const struct course *course,
                       int player, int banker)
{
    if (course->hand == NOBODY)
        return remaining->unused[4] * (uint64_t)(int64_t)what->weights[cell_of(player, banker, 2, 2)];
    uint64_t five = 0, six = 0;
    if (course->hand == BANKER) {
        for (int place = 0; place < what->thirds_length[1]; place++) {
            int unit = what->thirds[1][place];
            int cell = cell_of(player, (banker + what->values[unit]) % 10, 2, 3);
            five += (uint64_t)((int64_t)what->weights[cell] * remaining->of[unit]);
        }
        return five * remaining->unused[5];
    }
    for (int place = 0; place < what->thirds_length[0]; place++) {
        int unit = what->thirds[0][place], value = what->values[unit], total = (player + value) % 10;
        int64_t ways = remaining->of[unit];
        if (ways <= 0)
            continue;
        if (!(course->banker_draws >> value & 1)) {
            five += (uint64_t)(ways * what->weights[cell_of(total, banker, 3, 2)]);
            continue;
        }
        int64_t sum = 0;
        take(remaining, what, unit, 1);
        for (int last = 0; last < what->thirds_length[1]; last++) {
            int last_unit = what->thirds[1][last];
            int cell = cell_of(total, (banker + what->values[last_unit]) % 10, 3, 3);
            sum += (int64_t)what->weights[cell] * remaining->of[last_unit];
        }
        take(remaining, what, unit, -1);
        six += (uint64_t)(ways * sum);
    }
    return five * remaining->unused[5] + six;
}

static uint64_t evaluate_enumeration(const struct enumeration *what, const struct program *program, const uint8_t *shoe,
                                     int32_t size)
{
    struct remaining remaining = {0};
    uint64_t result = 0;
    for (int card = 0; card < program->cards; card++) {
        if (what->unit_of[card] >= 0)
            remaining.of[what->unit_of[card]] += shoe[card];
        remaining.of[what->units + program->value_of[card]] += shoe[card];
    }
    for (int cards = DRAW_MIN; cards <= DRAWN; cards++)
        remaining.unused[cards] = falling_factorial(size - cards, DRAWN - cards);
    for (int first_total = 0; first_total < 10; first_total++) {
        for (int i = what->pairs_begin[0][first_total]; i < what->pairs_begin[0][first_total + 1]; i++) {
            struct pair one = what->pairs[0][i];
            int64_t first_ways = (int64_t)one.orders * remaining.of[one.first];
            uint64_t sum = 0;
            take(&remaining, what, one.first, 1);
            first_ways *= remaining.of[one.second];
            take(&remaining, what, one.second, 1);
            for (int second_total = 0; second_total < 10 && first_ways > 0; second_total++) {
                int player = what->banker_first ? second_total : first_total;
                int banker = what->banker_first ? first_total : second_total;
                const struct course *course = &program->courses[player][banker];
                if (!what->reachable[player][banker])
                    continue;
                for (int j = what->pairs_begin[1][second_total]; j < what->pairs_begin[1][second_total + 1]; j++) {
                    struct pair other = what->pairs[1][j];
                    int64_t ways = (int64_t)other.orders * remaining.of[other.first];
                    take(&remaining, what, other.first, 1);
                    ways *= remaining.of[other.second];
                    take(&remaining, what, other.second, 1);
                    if (ways > 0)
                        sum += (uint64_t)ways * finish(what, &remaining, course, player, banker);
                    take(&remaining, what, other.second, -1);
                    take(&remaining, what, other.first, -1);
                }
            }
            take(&remaining, what, one.second, -1);
            take(&remaining, what, one.first, -1);
            result += (uint64_t)first_ways * sum;
        }
    }
    return result;
}

/* Whether the composition is within what doubles hold exactly, and enough for a round. */
static int is_within_bounds(const int32_t counts[10])
{
    int32_t size = 0;
    for (int value = 0; value < 10; value++) {
        if (counts[value] > (value ? VALUE_MAX : ZEROS_MAX))
            return 0;
        size += counts[value];
    }
    return size >= DRAWN && size <= SHOE_MAX;
}

static int32_t class_count(const struct program *program, const struct room *room, int place)
{
    const struct card_class *cards = &program->card_class[place];
    if (cards->by_value < 0)
        return room->tallies[cards->tally];
    int32_t count = 0;
    for (int value = 0; value < 10; value++)
        count += room->tallies[cards->by_value + value];
    return count;
}

static const int32_t *value_counts(const struct program *program, const struct room *room, int place)
{
    return room->tallies + program->card_class[place].by_value;
}

/* Counts the cards of the composition; class 0 holds all. Returns 0 if it is refused. */
static int count_cards(const struct program *program, const uint8_t *shoe, struct room *room)
{
    int32_t *tallies = room->tallies;
    const struct count *end = program->count + program->counts;
    room->shoe = shoe;
    memset(tallies, 0, sizeof *tallies * (size_t)program->tallies);
    for (const struct count *count = program->count; count < end; count++)
        tallies[count->tally] += shoe[count->card];
    return is_within_bounds(value_counts(program, room, 0));
}

static uint64_t *evaluate_fallings(const struct program *program, struct room *room)
{
    uint64_t *value = room->values;
    for (int place = 0; place < program->fallings; place++) {
        const struct falling *falling = &program->falling[place];
        int32_t count = class_count(program, room, falling->card_class);
        *value++ = falling_factorial(count - falling->offset, falling->length);
    }
    return value;
}

/* From the values of all rooms to behind the last; the products of a class are made once for all its forms. */
static void evaluate_forms(const struct program *program, struct room *rooms, int shoes, uint64_t **values)
{
    struct halves halves[SHOES_TOGETHER];
    int expanded = -1;
    for (int place = 0; place < program->applications; place++) {
        const struct application *application = &program->application[place];
        const struct form_set *set = &program->form_set[application->form_set];
        const double *coefficients = set->coefficients;
        for (int shoe = 0; shoe < shoes && application->card_class != expanded; shoe++) {
            const int32_t *counts = value_counts(program, &rooms[shoe], application->card_class);
            halves[shoe] = rooms[shoe].halves;
            instructions->expand_half(halves[shoe].low, counts, application->largest);
            instructions->expand_half(halves[shoe].high, counts + HALF, application->largest);
        }
        expanded = application->card_class;
        for (int label = 0; label < set->labels; label += TOGETHER) {
            int together = set->labels - label < TOGETHER ? set->labels - label : TOGETHER;
            instructions->apply[shoes - 1][together - 1](values, coefficients, set->size, halves);
            coefficients += (size_t)together * (size_t)set->length;
            for (int shoe = 0; shoe < shoes; shoe++)
                values[shoe] += together;
        }
    }
}

static uint64_t *evaluate_rounds(const struct program *program, struct room *room, uint64_t *value)
{
    for (int place = 0; place < program->rounds; place += CLASSES_TOGETHER) {
        int together = program->rounds - place < CLASSES_TOGETHER ? program->rounds - place : CLASSES_TOGETHER;
        double four[CLASSES_TOGETHER], five[CLASSES_TOGETHER];
        memcpy(room->partners->counts, room->tallies + program->round_tallies + 10 * place, 10 * sizeof(lanes));
        instructions->count_rounds(four, five, &program->round_lengths, room->partners);
        for (int lane = 0; lane < together; lane++) {
            *value++ = (uint64_t)(int64_t)four[lane];
            *value++ = (uint64_t)(int64_t)five[lane];
        }
    }
    return value;
}

static void evaluate_sums(const struct program *program, struct room *room, uint64_t *value, int64_t *outcomes)
{
    const struct product *product = program->product;
    const uint64_t *values = room->values;
    const int32_t *factors = program->factors;
    for (int place = 0, sums = program->sums; place < sums; place++) {
        const struct product *end = program->product + program->sum_ends[place];
        uint64_t sum = 0;
        for (; product < end; product++) {
            uint64_t term = (uint64_t)product->coefficient;
            for (int factor = product->begin, last = product->end; factor < last; factor++)
                term *= values[factors[factor]];
            sum += term;
        }
        *value++ = sum;
    }
    for (int place = 0; place < program->outcomes; place++)
        outcomes[place] = (int64_t)room->values[program->results[place]];
}

/* The outcomes of compositions whose cards are counted, shoe after shoe. */
static void evaluate(const struct program *program, struct room *rooms, int shoes, int64_t *outcomes)
{
    uint64_t *values[SHOES_TOGETHER];
    for (int shoe = 0; shoe < shoes; shoe++)
        values[shoe] = evaluate_fallings(program, &rooms[shoe]);
    evaluate_forms(program, rooms, shoes, values);
    for (int shoe = 0; shoe < shoes; shoe++) {
        struct room *room = &rooms[shoe];
        uint64_t *value = evaluate_rounds(program, room, values[shoe]);
        for (int place = 0; place < program->two_pairs; place++) {
            const struct two_pairs *pairs = &program->two_pair[place];
            *value++ = evaluate_two_pairs(pairs, value_counts(program, room, pairs->inner),
                                          value_counts(program, room, pairs->outer));
        }
        for (int place = 0; place < program->enumerations; place++)
            *value++ = evaluate_enumeration(&program->enumeration[place], program, room->shoe,
                                            class_count(program, room, 0));
        evaluate_sums(program, room, value, outcomes + (size_t)shoe * (size_t)program->outcomes);
    }
}
