/* Exact odds: the tables that a program needs, made from the tableau and from sets of cells. */

/* Forms. */

static int padded(int length)
{
    return (length + CHUNK - 1) / CHUNK * CHUNK;
}

/* Where the rows of each block of a form begin, in chunks' cells, by how many of the cards are low. */
static int place_blocks(int size, int begins[DRAWN + 2])
{
    begins[0] = 0;
    for (int low = 0; low <= size; low++) {
        int along = low > size - low ? low : size - low;
        begins[low + 1] = begins[low] + MULTISETS[HALF][size - along] * padded(MULTISETS[HALF][along]);
    }
    return begins[size + 1];
}

struct form_maker {
    const int32_t *label_of; /* by cell; -1: none */
    int32_t labels, size;
    int begins[DRAWN + 2];
    int length; /* of one form */
    double *coefficients;
};

/* The cards of a multiset: seven to the power of each low value, and of each high one, and how many are low. */
struct multiset {
    int low_key, high_key, low;
};

static struct multiset with(struct multiset cards, int value)
{
    if (value < HALF) {
        cards.low_key += SEVENS[value];
        cards.low++;
    } else
        cards.high_key += SEVENS[value - HALF];
    return cards;
}

/* Where the coefficient of a multiset is: in a block, a chunk of columns after the other, each with all rows; forms go
   together in threes, a chunk of each after the other. */
static size_t coefficient_place(const struct form_maker *maker, struct multiset cards, int label)
{
    int along = cards.low, row = PLACE_OF_HALF[cards.high_key], column = PLACE_OF_HALF[cards.low_key];
    if (cards.low <= maker->size - cards.low) {
        along = maker->size - cards.low;
        row = PLACE_OF_HALF[cards.low_key];
        column = PLACE_OF_HALF[cards.high_key];
    }
    int rows = MULTISETS[HALF][maker->size - along];
    int place = maker->begins[cards.low] + (column / CHUNK * rows + row) * CHUNK + column % CHUNK;
    int group = label / TOGETHER * TOGETHER;
    int together = maker->labels - group < TOGETHER ? maker->labels - group : TOGETHER;
    return (size_t)group * (size_t)maker->length + (size_t)(place / CHUNK * CHUNK * together) +
           (size_t)((label - group) * CHUNK + place % CHUNK);
}

/* Adds the orders in which the cards end in the cell, with any values for the cards that are left to draw. */
static void add_orders(const struct form_maker *maker, struct multiset cards, int drawn, int cell, double orders)
{
    int label = maker->label_of[cell];
    if (label < 0 || drawn > maker->size)
        return;
    if (drawn == maker->size) {
        maker->coefficients[coefficient_place(maker, cards, label)] += orders;
        return;
    }
    for (int value = 0; value < 10; value++)
        add_orders(maker, with(cards, value), drawn + 1, cell, orders);
}

static void add_rounds(const struct form_maker *maker, const struct course courses[10][10])
{
    const struct multiset none = {0, 0, 0};
    /* The first two cards of a hand in both orders at once. */
    for (int p1 = 0; p1 < 10; p1++) for (int p2 = p1; p2 < 10; p2++)
    for (int b1 = 0; b1 < 10; b1++) for (int b2 = b1; b2 < 10; b2++) {
        int player = (p1 + p2) % 10, banker = (b1 + b2) % 10;
        double orders = (p1 == p2 ? 1 : 2) * (b1 == b2 ? 1 : 2);
        struct multiset four = with(with(with(with(none, p1), p2), b1), b2);
        const struct course *course = &courses[player][banker];
        if (course->hand == NOBODY) {
            add_orders(maker, four, 4, cell_of(player, banker, 2, 2), orders);
            continue;
        }
        if (maker->size == 4)
            continue;
        for (int third = 0; third < 10; third++) {
            struct multiset five = with(four, third);
            if (course->hand == BANKER)
                add_orders(maker, five, 5, cell_of(player, (banker + third) % 10, 2, 3), orders);
            else if (!(course->banker_draws >> third & 1))
                add_orders(maker, five, 5, cell_of((player + third) % 10, banker, 3, 2), orders);
            else if (maker->size == 6)
                for (int last = 0; last < 10; last++)
                    add_orders(maker, with(five, last), 6,
                               cell_of((player + third) % 10, (banker + last) % 10, 3, 3), orders);
        }
    }
}

/* Sequences of values become orders of distinct cards: times k! for each value taken k times. */
static void label_cards(const struct form_maker *maker, int value, int left, struct multiset cards, double orders)
{
    static const double FACTORIALS[] = {1, 1, 2, 6, 24, 120, 720};
    if (value == 9) {
        for (int taken = 0; taken < left; taken++)
            cards = with(cards, value);
        orders *= FACTORIALS[left] / ORDERS_ALIKE;
        for (int label = 0; label < maker->labels; label++)
            maker->coefficients[coefficient_place(maker, cards, label)] *= orders;
        return;
    }
    for (int taken = 0; taken <= left; taken++) {
        label_cards(maker, value + 1, left - taken, cards, orders * FACTORIALS[taken]);
        cards = with(cards, value);
    }
}

static int make_forms(struct form_set *set, const int32_t *label_of, const struct course courses[10][10])
{
    struct form_maker maker = {.label_of = label_of, .labels = set->labels, .size = set->size};
    const struct multiset none = {0, 0, 0};
    maker.length = set->length = place_blocks(set->size, maker.begins);
    set->memory = calloc((size_t)maker.length * (size_t)set->labels * sizeof(double) + CACHE_LINE, 1);
    if (!set->memory)
        return 0;
    set->coefficients = from_cache_line(set->memory);
    maker.coefficients = set->coefficients;
    add_rounds(&maker, courses);
    label_cards(&maker, 0, set->size, none, 1);
    return 1;
}

/* Lengths of rounds. */

static int32_t place_set(struct round_lengths *lengths, int set)
{
    int32_t place = 0;
    while (place < lengths->sets_length && lengths->sets[place].set != set)
        place++;
    if (place == lengths->sets_length) {
        struct totals *made = &lengths->sets[lengths->sets_length++];
        made->set = set;
        for (int value = 0; value < 10; value++)
            made->itself[value] = set >> 2 * value % 10 & 1;
        for (int total = 0; total < 10; total++) {
            if (!(set >> total & 1))
                continue;
            if (total == 0 || !(set >> (total - 1) & 1))
                made->begins[made->runs++] = total;
            made->ends[made->runs - 1] = total + 1;
        }
    }
    return place;
}

static int32_t place_rectangle(struct round_lengths *lengths, int way, int one, int other)
{
    struct rectangle made = {way, place_set(lengths, one), place_set(lengths, other), place_set(lengths, one & other)};
    int32_t place = 0;
    while (place < lengths->rectangles_length && memcmp(&lengths->rectangles[place], &made, sizeof made))
        place++;
    if (place == lengths->rectangles_length)
        lengths->rectangles[lengths->rectangles_length++] = made;
    return place;
}

static struct without make_without(const struct round_lengths *lengths, int32_t place, int third)
{
    const struct rectangle *sets = &lengths->rectangles[place];
    int one = lengths->sets[sets->one].set, other = lengths->sets[sets->other].set;
    struct without made = {.rectangle = place};
    made.itself_one = one >> 2 * third % 10 & 1;
    made.itself_other = other >> 2 * third % 10 & 1;
    for (int value = 0; value < 10; value++) {
        int in_one = one >> (value + third) % 10 & 1, in_other = other >> (value + third) % 10 & 1;
        if (in_one)
            made.less[made.less_length++] = sets->other * 10 + value;
        if (in_other)
            made.less[made.less_length++] = sets->one * 10 + value;
        if (in_one && in_other)
            made.more[made.more_length++] = value;
    }
    return made;
}

/* All totals with which a round goes a certain way, by the Player's total: alike ones make a rectangle. */
static void make_rectangles(struct round_lengths *lengths, int way, int third, const int banker_totals[10])
{
    int done = 0;
    for (int total = 0; total < 10; total++) {
        int one = 0, other = banker_totals[total];
        for (int like = 0; like < 10; like++)
            one |= (banker_totals[like] == other) << like;
        if (other && !(done >> total & 1)) {
            int32_t place = place_rectangle(lengths, way, one, other);
            if (way == BANKER_STANDS)
                lengths->without[third][lengths->without_length[third]++] = make_without(lengths, place, third);
        }
        done |= one;
    }
}

static void make_round_lengths(struct round_lengths *lengths, const struct course courses[10][10])
{
    int player_draws[10] = {0}, banker_draws[10] = {0};
    for (int player = 0; player < 10; player++)
        for (int banker = 0; banker < 10; banker++) {
            player_draws[player] |= (courses[player][banker].hand == PLAYER) << banker;
            banker_draws[player] |= (courses[player][banker].hand == BANKER) << banker;
        }
    make_rectangles(lengths, PLAYER_DRAWS, -1, player_draws);
    make_rectangles(lengths, BANKER_DRAWS, -1, banker_draws);
    for (int third = 0; third < 10; third++) {
        int stands[10] = {0};
        for (int player = 0; player < 10; player++)
            for (int banker = 0; banker < 10; banker++) {
                const struct course *course = &courses[player][banker];
                stands[player] |= (course->hand == PLAYER && !(course->banker_draws >> third & 1)) << banker;
            }
        make_rectangles(lengths, BANKER_STANDS, third, stands);
    }
    for (int third = 0; third < 10; third++)
        for (int place = 0; place < lengths->without_length[third]; place++) {
            const struct without *made = &lengths->without[third][place];
            lengths->less_length = made->less_length > lengths->less_length ? made->less_length : lengths->less_length;
            lengths->more_length = made->more_length > lengths->more_length ? made->more_length : lengths->more_length;
        }
    for (int third = 0; third < 10; third++)
        for (int place = 0; place < lengths->without_length[third]; place++) {
            struct without *made = &lengths->without[third][place];
            while (made->less_length < lengths->less_length)
                made->less[made->less_length++] = lengths->sets_length * 10;
            while (made->more_length < lengths->more_length)
                made->more[made->more_length++] = 10;
        }
}

/* Enumerations. */

enum { PLAYER_FIRST, PLAYER_SECOND, PLAYER_THIRD, BANKER_FIRST, BANKER_SECOND, BANKER_THIRD };

static int make_pairs(struct enumeration *made, int which, const uint8_t *one, int ones, const uint8_t *other,
                      int others)
{
    int alike = ones == others && memcmp(one, other, (size_t)ones) == 0, length = 0;
    struct pair *pairs = malloc(sizeof(struct pair) * (size_t)(ones * others + 1));
    if (!pairs)
        return 0;
    for (int total = 0; total < 10; total++) {
        made->pairs_begin[which][total] = length;
        for (int i = 0; i < ones; i++)
            for (int j = alike ? i : 0; j < others; j++)
                if ((made->values[one[i]] + made->values[other[j]]) % 10 == total)
                    pairs[length++] = (struct pair){one[i], other[j], alike && i != j ? 2 : 1};
    }
    made->pairs_begin[which][10] = length;
    made->pairs[which] = pairs;
    return 1;
}

/* Whether a round with these totals can end in a cell with a weight. */
static int can_reach(const struct enumeration *made, const struct course *course, int player, int banker)
{
    if (course->hand == NOBODY)
        return made->weights[cell_of(player, banker, 2, 2)] != 0;
    for (int third = 0; third < 10; third++) {
        int total = (player + third) % 10;
        if (course->hand == BANKER) {
            if (made->weights[cell_of(player, (banker + third) % 10, 2, 3)])
                return 1;
        } else if (!(course->banker_draws >> third & 1)) {
            if (made->weights[cell_of(total, banker, 3, 2)])
                return 1;
        } else
            for (int last = 0; last < 10; last++)
                if (made->weights[cell_of(total, last, 3, 3)])
                    return 1;
    }
    return 0;
}

static int make_enumeration(struct enumeration *made, const struct program *program, const int32_t slots[DRAWN])
{
    uint8_t fits[CARDS_MAX] = {0}, fit_of_unit[CARDS_MAX];
    uint8_t options[DRAWN][CARDS_MAX + 10];
    int lengths[DRAWN] = {0}, restricted[DRAWN];
    for (int slot = 0; slot < DRAWN; slot++) {
        const struct card_class *allowed = &program->card_class[slots[slot]];
        restricted[slot] = allowed->length < program->cards;
        for (int place = 0; place < allowed->length; place++)
            fits[allowed->cards[place]] |= (uint8_t)(1 << slot);
    }
    for (int card = 0; card < program->cards; card++) {
        int unit = 0;
        made->unit_of[card] = -1;
        if (!fits[card])
            continue;
        while (unit < made->units &&
               (made->values[unit] != program->value_of[card] || fit_of_unit[unit] != fits[card]))
            unit++;
        if (unit == made->units) {
            made->values[unit] = (uint8_t)program->value_of[card];
            fit_of_unit[unit] = fits[card];
            made->units++;
        }
        made->unit_of[card] = (int16_t)unit;
    }
    /* Where both third cards may be any, all that is enumerated after the last restriction is counted by value. */
    int player_any = !restricted[PLAYER_FIRST] && !restricted[PLAYER_SECOND];
    int banker_any = !restricted[BANKER_FIRST] && !restricted[BANKER_SECOND];
    made->by_value = !restricted[PLAYER_THIRD] && !restricted[BANKER_THIRD];
    made->banker_first = made->by_value && player_any && !banker_any;
    for (int value = 0; value < 10; value++) {
        made->values[made->units + value] = (uint8_t)value;
        made->value_unit[made->units + value] = (uint8_t)(made->units + 10); /* Stands for nothing. */
    }
    for (int unit = 0; unit < made->units; unit++)
        made->value_unit[unit] = (uint8_t)(made->units + made->values[unit]);
    for (int slot = 0; slot < DRAWN; slot++) {
        int is_third = slot == PLAYER_THIRD || slot == BANKER_THIRD;
        int of_second_hand = (slot < BANKER_FIRST) == made->banker_first;
        int any_pair = slot < BANKER_FIRST ? player_any : banker_any;
        int by_value = made->by_value && (is_third || (of_second_hand && any_pair));
        for (int unit = 0; unit < made->units && !by_value; unit++)
            if (fit_of_unit[unit] >> slot & 1)
                options[slot][lengths[slot]++] = (uint8_t)unit;
        for (int value = 0; value < 10 && by_value; value++)
            options[slot][lengths[slot]++] = (uint8_t)(made->units + value);
    }
    made->thirds_length[0] = lengths[PLAYER_THIRD];
    made->thirds_length[1] = lengths[BANKER_THIRD];
    memcpy(made->thirds[0], options[PLAYER_THIRD], (size_t)lengths[PLAYER_THIRD]);
    memcpy(made->thirds[1], options[BANKER_THIRD], (size_t)lengths[BANKER_THIRD]);
    for (int player = 0; player < 10; player++)
        for (int banker = 0; banker < 10; banker++)
            made->reachable[player][banker] =
                (uint8_t)can_reach(made, &program->courses[player][banker], player, banker);
    int begin = made->banker_first ? BANKER_FIRST : PLAYER_FIRST;
    int other = made->banker_first ? PLAYER_FIRST : BANKER_FIRST;
    return make_pairs(made, 0, options[begin], lengths[begin], options[begin + 1], lengths[begin + 1]) &&
           make_pairs(made, 1, options[other], lengths[other], options[other + 1], lengths[other + 1]);
}
