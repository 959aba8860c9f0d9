/* The forms in one instruction set. This text is included once for each: the includer defines

   IN(name)     the name of a function in this instruction set,
   TARGET       the attribute that selects the instruction set,
   LANES        how many doubles a vector of it holds,
   vector       the type of that vector.

   Nothing here rounds: every number is an integer below 2^53 (see "Exactness" in module.c), so it does not
   matter in which order a compiler adds, nor whether it fuses a product with a sum. */

#define VECTORS (CHUNK / LANES)

TARGET static ALWAYS_INLINE vector IN(load)(const double *from)
{
    vector loaded;
    memcpy(&loaded, from, sizeof loaded);
    return loaded;
}

TARGET static ALWAYS_INLINE double IN(total)(vector lanes)
{
    double each[LANES], sum = 0;
    memcpy(each, &lanes, sizeof each);
    for (int lane = 0; lane < LANES; lane++)
        sum += each[lane];
    return sum;
}

#if LANES <= 4
/* to[i] = factor from[i], in whole vectors: what lies behind the end is overwritten with numbers of no meaning, so
   callers write from the front to the back. */
TARGET static ALWAYS_INLINE void IN(scale)(double *to, const double *from, double factor, int length)
{
    for (int place = 0; place < length; place += LANES) {
        vector scaled = IN(load)(from + place) * factor;
        memcpy(to + place, &scaled, sizeof scaled);
    }
}

/* Multisets of one more value: those that take none of it, one of it, .. each a multiple of a multiset of the others.
   All bounds are constants where this is inlined, and the loops are unrolled. */
TARGET static ALWAYS_INLINE void IN(add_value)(double *to, const double *from, const double *binomials, int values,
                                               int largest)
{
    UNROLL for (int size = 0; size <= largest; size++) {
        double *at = to + (values == HALF ? PLACE_IN_HALF[size] : MULTISETS_BELOW[values][size]);
        UNROLL for (int taken = 0; taken <= size; taken++) {
            int length = MULTISETS[values - 1][size - taken];
            IN(scale)(at, from + MULTISETS_BELOW[values - 1][size - taken], binomials[taken], length);
            at += length;
        }
    }
}

TARGET static ALWAYS_INLINE void IN(expand)(double *half, const int32_t *counts, int largest)
{
    /* The multisets of the first two, three, four values, packed; what is read behind their ends must be finite. */
    double two[28 + LANES], three[84 + LANES], four[210 + LANES];
    memset(two + 28, 0, LANES * sizeof *two);
    memset(three + 84, 0, LANES * sizeof *three);
    memset(four + 210, 0, LANES * sizeof *four);
    for (int size = 0, place = 0; size <= largest; size++)
        for (int taken = 0; taken <= size; taken++)
            two[place++] = BINOMIALS[counts[0]][size - taken] * BINOMIALS[counts[1]][taken];
    IN(add_value)(three, two, BINOMIALS[counts[2]], 3, largest);
    IN(add_value)(four, three, BINOMIALS[counts[3]], 4, largest);
    IN(add_value)(half, four, BINOMIALS[counts[4]], 5, largest);
}

/* For every multiset of at most `largest` of the five values: the product of C(count, times taken).
   The multisets of each size are together, those of size k from half[PLACE_IN_HALF[k]]. */
TARGET static void IN(expand_half)(double *half, const int32_t *counts, int largest)
{
    if (largest == 6)
        IN(expand)(half, counts, 6);
    else
        IN(expand)(half, counts, 5);
}

/* Adds the ordered draws of two pairs, one with a total in one set and one in the other. All pairs number the sum over
   cards of their partners. Of the pairs of pairs that are not of four cards, those that share a card are counted four
   times over, so they are taken away; those that share both are then taken away twice too often. */
TARGET static ALWAYS_INLINE void IN(add_two_pairs)(double *sums, const lanes *ones, const lanes *others,
                                                   const lanes *alike, const lanes *shared)
{
    int32_t one[CLASSES_TOGETHER], other[CLASSES_TOGETHER], both[CLASSES_TOGETHER], less[CLASSES_TOGETHER];
    memcpy(one, ones, sizeof one);
    memcpy(other, others, sizeof other);
    memcpy(both, alike, sizeof both);
    memcpy(less, shared, sizeof less);
    FOR_LANES
        sums[lane] += (double)one[lane] * other[lane] - 4.0 * less[lane] + 2.0 * both[lane];
}

/* Two pairs out of the cards less one of value `third`. Every card that made a total in a set with that one has one
   partner less in it. */
TARGET static ALWAYS_INLINE void IN(add_two_pairs_without)(double *sums, const struct round_lengths *lengths,
                                                           const struct without *without, int third,
                                                           const struct partners *of)
{
    const struct rectangle *sets = &lengths->rectangles[without->rectangle];
    const lanes *one = of->partners[sets->one], *other = of->partners[sets->other], *both = of->partners[sets->both];
    lanes shared = of->shared[without->rectangle] -
                   (one[third] - without->itself_one) * (other[third] - without->itself_other);
    for (int place = 0; place < lengths->less_length; place++)
        shared -= of->weighted[without->less[place]];
    for (int place = 0; place < lengths->more_length; place++)
        shared += of->counts[without->more[place]];
    lanes ones = of->pairs[sets->one] - 2 * one[third], others = of->pairs[sets->other] - 2 * other[third];
    lanes alike = of->pairs[sets->both] - 2 * both[third];
    IN(add_two_pairs)(sums, &ones, &others, &alike, &shared);
}

/* The rounds of four and of five cards that can be dealt from each class alone, in order; of->counts is given. */
TARGET static void IN(count_rounds)(double *four, double *five, const struct round_lengths *lengths,
                                    struct partners *of)
{
    double sums[CLASSES_TOGETHER];
    lanes below[21]; /* The cards below a value, going round twice. */
    memset(below, 0, sizeof *below);
    for (int value = 0; value < 20; value++)
        below[value + 1] = below[value] + of->counts[value % 10];
    for (int set = 0; set < lengths->sets_length; set++) {
        const struct totals *totals = &lengths->sets[set];
        lanes pairs = {0};
        UNROLL for (int value = 0; value < 10; value++) {
            lanes partners = below[totals->ends[0] + 10 - value] - below[totals->begins[0] + 10 - value];
            for (int run = 1; run < totals->runs; run++)
                partners += below[totals->ends[run] + 10 - value] - below[totals->begins[run] + 10 - value];
            partners -= totals->itself[value];
            of->partners[set][value] = partners;
            partners *= of->counts[value];
            of->weighted[set * 10 + value] = partners;
            pairs += partners;
        }
        of->pairs[set] = pairs;
    }
    for (int place = 0; place < lengths->rectangles_length; place++) {
        const struct rectangle *sets = &lengths->rectangles[place];
        lanes shared = {0};
        UNROLL for (int value = 0; value < 10; value++)
            shared += of->weighted[sets->one * 10 + value] * of->partners[sets->other][value];
        of->shared[place] = shared;
    }
    double draws[2][CLASSES_TOGETHER] = {{0}}; /* of the Banker, of the Player, after four cards */
    for (int place = 0; place < lengths->rectangles_length; place++) {
        const struct rectangle *sets = &lengths->rectangles[place];
        if (sets->way != BANKER_STANDS)
            IN(add_two_pairs)(draws[sets->way == PLAYER_DRAWS], &of->pairs[sets->one], &of->pairs[sets->other],
                              &of->pairs[sets->both], &of->shared[place]);
    }
    int32_t size[CLASSES_TOGETHER];
    memcpy(size, &below[10], sizeof size);
    FOR_LANES {
        double cards = size[lane];
        four[lane] = cards * (cards - 1) * (cards - 2) * (cards - 3) - draws[0][lane] - draws[1][lane];
        five[lane] = draws[0][lane] * (cards - 4);
    }
    for (int third = 0; third < 10; third++) {
        int32_t counts[CLASSES_TOGETHER];
        memcpy(counts, &of->counts[third], sizeof counts);
        FOR_LANES
            sums[lane] = 0;
        for (int place = 0; place < lengths->without_length[third]; place++) {
            const struct without *without = &lengths->without[third][place];
            IN(add_two_pairs_without)(sums, lengths, without, third, of);
        }
        FOR_LANES
            five[lane] += sums[lane] * counts[lane];
    }
}

#endif

/* The values of FORMS forms that are stored together, from the products of SHOES compositions: what is read of the
   coefficients, which are many, serves all of them. Each block is a matrix, between the multisets of one half of the
   values and those of the other, with 1, 5, 15 or 35 rows: constants where add_block is inlined, because loops that end
   after a number of turns that the processor does not foresee cost more than the sums. TURNS rows are summed apart,
   where the sums of one would wait for each other. A single row is that of the multiset of no
   cards, whose product is one. */
#define DEFINE_APPLY(FORMS, SHOES, TURNS)                                                                              \
    TARGET static ALWAYS_INLINE const double *IN(add_row_##FORMS##_to_##SHOES)(                                        \
        vector totals[SHOES][FORMS], const double *coefficients, const double *const *columns, int chunks)             \
    {                                                                                                                  \
        for (int chunk = 0; chunk < chunks; chunk++, coefficients += FORMS * CHUNK)                                    \
            for (int form = 0; form < FORMS; form++)                                                                   \
                for (int part = 0; part < VECTORS; part++)                                                             \
                    for (int shoe = 0; shoe < SHOES; shoe++)                                                           \
                        totals[shoe][form] += IN(load)(coefficients + form * CHUNK + part * LANES) *                   \
                                              IN(load)(columns[shoe] + chunk * CHUNK + part * LANES);                  \
        return coefficients;                                                                                           \
    }                                                                                                                  \
    TARGET static ALWAYS_INLINE const double *IN(add_block_##FORMS##_to_##SHOES)(                                      \
        vector totals[SHOES][FORMS], const double *coefficients, const double *const *factors,                         \
        const double *const *columns, int chunks, const int rows)                                                      \
    {                                                                                                                  \
        for (int chunk = 0; chunk < chunks; chunk++) {                                                                 \
            vector sums[SHOES][FORMS][TURNS][VECTORS];                                                                 \
            for (int shoe = 0; shoe < SHOES; shoe++)                                                                   \
                for (int form = 0; form < FORMS; form++)                                                               \
                    for (int turn = 0; turn < TURNS; turn++)                                                           \
                        for (int part = 0; part < VECTORS; part++)                                                     \
                            sums[shoe][form][turn][part] = (vector){0};                                                \
            for (int first = 0; first < rows; first += GROUP)                                                          \
                UNROLL for (int row = 0; row < GROUP; row++) {                                                         \
                    for (int form = 0; form < FORMS; form++)                                                           \
                        for (int part = 0; part < VECTORS; part++) {                                                   \
                            vector coefficient = IN(load)(coefficients + form * CHUNK + part * LANES);                 \
                            IN_REGISTER(coefficient);                                                                  \
                            for (int shoe = 0; shoe < SHOES; shoe++)                                                   \
                                sums[shoe][form][row % TURNS][part] += coefficient * factors[shoe][first + row];       \
                        }                                                                                              \
                    coefficients += FORMS * CHUNK;                                                                     \
                }                                                                                                      \
            for (int shoe = 0; shoe < SHOES; shoe++)                                                                   \
                for (int form = 0; form < FORMS; form++) {                                                             \
                    vector total = {0};                                                                                \
                    for (int part = 0; part < VECTORS; part++) {                                                       \
                        vector sum = sums[shoe][form][0][part];                                                        \
                        for (int turn = 1; turn < TURNS; turn++)                                                       \
                            sum += sums[shoe][form][turn][part];                                                       \
                        total += sum * IN(load)(columns[shoe] + chunk * CHUNK + part * LANES);                         \
                    }                                                                                                  \
                    totals[shoe][form] += total;                                                                       \
                }                                                                                                      \
        }                                                                                                              \
        return coefficients;                                                                                           \
    }                                                                                                                  \
    TARGET static void IN(apply_##FORMS##_to_##SHOES)(uint64_t *const *values, const double *coefficients, int size,   \
                                                      const struct halves *halves)                                     \
    {                                                                                                                  \
        vector totals[SHOES][FORMS];                                                                                   \
        for (int shoe = 0; shoe < SHOES; shoe++)                                                                       \
            for (int form = 0; form < FORMS; form++) {                                                                 \
                values[shoe][form] = 0;                                                                                \
                totals[shoe][form] = (vector){0};                                                                      \
            }                                                                                                          \
        for (int taken = 0; taken <= size; taken++) {                                                                  \
            /* The longer side lies along the vectors. */                                                              \
            int low_along = taken > size - taken, along = low_along ? taken : size - taken, across = size - along;     \
            int chunks = (MULTISETS[HALF][along] + CHUNK - 1) / CHUNK;                                                 \
            const double *columns[SHOES], *factors[SHOES];                                                             \
            for (int shoe = 0; shoe < SHOES; shoe++) {                                                                 \
                columns[shoe] = (low_along ? halves[shoe].low : halves[shoe].high) + PLACE_IN_HALF[along];             \
                factors[shoe] = (low_along ? halves[shoe].high : halves[shoe].low) + PLACE_IN_HALF[across];            \
            }                                                                                                          \
            if (across == 0)                                                                                           \
                coefficients = IN(add_row_##FORMS##_to_##SHOES)(totals, coefficients, columns, chunks);                \
            else if (across == 1)                                                                                      \
                coefficients = IN(add_block_##FORMS##_to_##SHOES)(totals, coefficients, factors, columns, chunks, 5);  \
            else if (across == 2)                                                                                      \
                coefficients = IN(add_block_##FORMS##_to_##SHOES)(totals, coefficients, factors, columns, chunks, 15); \
            else                                                                                                       \
                coefficients = IN(add_block_##FORMS##_to_##SHOES)(totals, coefficients, factors, columns, chunks, 35); \
            if (taken < size && !ENDS_EXACTLY(size, taken))                                                            \
                continue;                                                                                              \
            for (int shoe = 0; shoe < SHOES; shoe++)                                                                   \
                for (int form = 0; form < FORMS; form++) {                                                             \
                    values[shoe][form] += ORDERS_ALIKE * (uint64_t)(int64_t)IN(total)(totals[shoe][form]);             \
                    totals[shoe][form] = (vector){0};                                                                  \
                }                                                                                                      \
        }                                                                                                              \
    }

DEFINE_APPLY(1, 1, 5)
DEFINE_APPLY(2, 1, 2)
DEFINE_APPLY(3, 1, 2)
DEFINE_APPLY(1, 2, 2)
DEFINE_APPLY(2, 2, 1)
DEFINE_APPLY(3, 2, 1)

static const struct instruction_set IN(instructions) = {
#if LANES <= 4
    IN(expand_half),
    IN(count_rounds),
#else
    /* Nothing that is this short gains from longer vectors. */
    expand_half_avx2,
    count_rounds_avx2,
#endif
    {{IN(apply_1_to_1), IN(apply_2_to_1), IN(apply_3_to_1)}, {IN(apply_1_to_2), IN(apply_2_to_2), IN(apply_3_to_2)}},
};

#undef DEFINE_APPLY
#undef VECTORS
