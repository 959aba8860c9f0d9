/* Many shoes at once, a shoe in each byte of a vector. This text is included once for each instruction set, by
   module.c, which defines IN, TARGET, INLINE, LANES, vector and the operations.

   A shoe is the counts of its unseen cards, summed up: how many lie before the end of each rank, or face. A card
   at place p is of the first class whose end is greater than p, and taking it takes one off the end of every class
   that is greater than p. One comparison gives both, without a branch or an address that depends on the cards.

   The sums fit bytes because they are taken from the nearer end. By ranks: the ends of the first six ranks from
   below, the beginnings of the last six from above. By faces: those of the first 20 from below and the last 25 from
   above, and the 20 in the middle from the sum of the first 20, which is kept in 16 bits. Places are cut to a byte,
   at which they are greater than any sum. Sums and places have their highest bit turned, since bytes are compared
   as signed numbers.

   The 16-bit values of the lanes are in two vectors: those that `packus` packs into the bytes. The words of the
   generators are in four: the first and second have the even and odd numbers of the first 16-bit vector. */

/* A loop over few cards, halves or words, which is to become straight code whatever the level of optimisation. */
#define EACH(name, below) _Pragma("GCC unroll 8") for (int name = 0; name < (below); name++)

#define WORDS_IN_A_VECTOR (LANES / 4)
#define MOST_COUNTS (FACES - 1)

typedef struct {
    vector place[2];    /* How many unseen cards lie before the card .. */
    vector rest[2];     /* .. and behind it. 16-bit. */
} IN(Drawn);

typedef struct {
    vector counts[MOST_COUNTS];
    vector middle[2];   /* The sum from which the middle faces are counted, 16-bit. */
    vector unseen[2];   /* 16-bit. */
    vector burned[2];   /* 16-bit. */
    vector state[4][4]; /* Of the generators: word, vector. */
    vector absent;      /* The lanes without a shoe, or whose shoe is finished. */
    vector last;        /* The lanes whose next round is the last. */
    uint64_t first;     /* The number of the first lane's shoe. */
    uint32_t words;     /* Taken so far. */
} IN(Lanes);

/* The tables as the lanes look them up: by a rank, a suit or a total below 16. */
typedef struct {
    vector points, tens, bit_low, bit_high, lane;
    vector draws_low[3], draws_high[3];
    vector player_pair, banker_pair, player_suit, banker_suit, one_suit;
    vector code[HANDS], sum[HANDS], detail[HANDS];
    int banker[HANDS], hands;
} IN(Lookup);

TARGET static vector IN(lookup_table)(const uint16_t *values, int length, int shift, int factor)
{
    uint8_t table[16] = {0};
    for (int place = 0; place < length; place++)
        table[place] = (uint8_t)((values[place] >> shift) * factor);
    return TABLE(table);
}

TARGET static void IN(fill_lookup)(IN(Lookup) *lookup, const Tables *tables)
{
    static const uint16_t tens[10] = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90};
    static const uint16_t bits[10] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
    const uint16_t *draws[3] = {tables->player_draws, tables->banker_draws_first, tables->banker_draws_second};
    uint8_t lane[LANES];
    for (int each = 0; each < LANES; each++)
        lane[each] = (uint8_t)each;
    memcpy(&lookup->lane, lane, sizeof lane);
    lookup->points = IN(lookup_table)(tables->points, RANKS, 0, 1);
    lookup->tens = IN(lookup_table)(tens, 10, 0, 1);
    lookup->bit_low = IN(lookup_table)(bits, 10, 0, 1);
    lookup->bit_high = IN(lookup_table)(bits, 10, 8, 1);
    for (int table = 0; table < 3; table++) {
        lookup->draws_low[table] = IN(lookup_table)(draws[table], 10, 0, 1);
        lookup->draws_high[table] = IN(lookup_table)(draws[table], 10, 8, 1);
    }
    /* Details are doubled: the lowest bit of their byte is whether the Banker drew. */
    lookup->player_pair = IN(lookup_table)(tables->player_pair, RANKS, 0, 2);
    lookup->banker_pair = IN(lookup_table)(tables->banker_pair, RANKS, 0, 2);
    lookup->player_suit = IN(lookup_table)(tables->player_suit, SUITS, 0, 2);
    lookup->banker_suit = IN(lookup_table)(tables->banker_suit, SUITS, 0, 2);
    lookup->one_suit = IN(lookup_table)(tables->one_suit, SUITS, 0, 2);
    lookup->hands = tables->hands;
    for (int hand = 0; hand < tables->hands; hand++) {
        lookup->code[hand] = IN(lookup_table)(tables->hand[hand].code, RANKS, 0, 1);
        lookup->sum[hand] = V(set1_epi8)((char)tables->hand[hand].sum);
        lookup->detail[hand] = V(set1_epi8)((char)(tables->hand[hand].detail * 2));
        lookup->banker[hand] = tables->hand[hand].banker;
    }
}

/* --- Places -------------------------------------------------------------------------------------------------- */

INLINE vector IN(next_words)(vector state[4])
{
    vector sum = V(add_epi32)(state[0], state[3]);
    vector word = V(add_epi32)(ROTATED(sum, 7), state[0]), shifted = V(slli_epi32)(state[1], 9);
    state[2] = LOGIC(xor)(state[2], state[0]);
    state[3] = LOGIC(xor)(state[3], state[1]);
    state[1] = LOGIC(xor)(state[1], state[2]);
    state[0] = LOGIC(xor)(state[0], state[3]);
    state[2] = LOGIC(xor)(state[2], shifted);
    state[3] = ROTATED(state[3], 11);
    return word;
}

/* The product of a 32-bit fraction, in two vectors of 16 bits, and n: returns the whole part. */
INLINE vector IN(times)(vector *high, vector *low, vector n)
{
    vector carried = V(mulhi_epu16)(*low, n), part = V(mullo_epi16)(*high, n);
    vector whole = V(mulhi_epu16)(*high, n), sum = V(add_epi16)(part, carried);
    vector no_carry = EQUAL_16(sum, V(adds_epu16)(part, carried));
    *low = V(mullo_epi16)(*low, n);
    *high = sum;
    return V(sub_epi16)(V(add_epi16)(whole, no_carry), V(set1_epi16)(-1));
}

/* The words that may have to be refused, one by one. */
TARGET static __attribute__((noinline)) void IN(refuse)(
    const Job *job, const IN(Lanes) *lanes, vector vectors[3][4], int pairs, IN(Drawn) *drawn)
{
    uint16_t unseen[2][LANES / 2];
    uint32_t words[4][WORDS_IN_A_VECTOR], places[2];
    memcpy(unseen, lanes->unseen, sizeof unseen);
    for (int pair = 0; pair < pairs; pair++) {
        memcpy(words, vectors[pair], sizeof words);
        for (int lane = 0; lane < LANES; lane++) {
            int half = lane % 2, number = lane / 2, in_vector = 2 * half + number % 2, in_words = number / 2;
            uint32_t n = unseen[half][number] - 2u * (uint32_t)pair, word = words[in_vector][in_words];
            if (word * n * (n - 1) >= n * (n - 1))
                continue;
            two_places(job->seed, lanes->first + (uint64_t)(in_vector * WORDS_IN_A_VECTOR + in_words),
                       lanes->words + (uint32_t)pair, word, n, places);
            for (uint32_t each = 0; each < 2; each++) {
                uint16_t place = (uint16_t)places[each], rest = (uint16_t)(n - 1 - each - places[each]);
                IN(Drawn) *card = &drawn[2 * pair + (int)each];
                memcpy((char *)&card->place[half] + 2 * number, &place, sizeof place);
                memcpy((char *)&card->rest[half] + 2 * number, &rest, sizeof rest);
            }
        }
    }
}

/* The places of the next two, four or six cards. */
INLINE void IN(draw_places)(const Job *job, IN(Lanes) *lanes, int pairs, IN(Drawn) *drawn)
{
    vector words[3][4], least = V(set1_epi16)(-1);
    EACH(each, 4) {
        vector state[4] = {lanes->state[0][each], lanes->state[1][each], lanes->state[2][each], lanes->state[3][each]};
        EACH(pair, pairs)
            words[pair][each] = IN(next_words)(state);
        EACH(word, 4)
            lanes->state[word][each] = state[word];
    }
    EACH(half, 2)
        EACH(pair, pairs) {
            vector even = words[pair][2 * half], odd = words[pair][2 * half + 1];
            vector low = ODD_FROM(even, V(slli_epi32)(odd, 16)), high = ODD_FROM(V(srli_epi32)(even, 16), odd);
            vector n = V(sub_epi16)(lanes->unseen[half], V(set1_epi16)((short)(2 * pair)));
            vector one_less = V(sub_epi16)(n, V(set1_epi16)(1));
            vector first = IN(times)(&high, &low, n), second = IN(times)(&high, &low, one_less);
            drawn[2 * pair].place[half] = first;
            drawn[2 * pair].rest[half] = V(sub_epi16)(one_less, first);
            drawn[2 * pair + 1].place[half] = second;
            drawn[2 * pair + 1].rest[half] = V(sub_epi16)(V(sub_epi16)(one_less, V(set1_epi16)(1)), second);
            least = V(min_epu16)(least, high);
        }
    /* A word is refused only if what is left is less than n (n - 1), that is, in its upper half, less than seven. */
    vector suspect = EQUAL_16(V(subs_epu16)(least, V(set1_epi16)(6)), V(set1_epi16)(0));
    if (__builtin_expect(ANY(suspect), 0))
        IN(refuse)(job, lanes, words, pairs, drawn);
    lanes->words += (uint32_t)pairs;
}

/* --- Cards --------------------------------------------------------------------------------------------------- */

#define TURNED V(set1_epi8)((char)0x80)

/* The place as a byte for each of the sums it is compared with. */
typedef struct {
    vector low, middle, high;
    vector sum;     /* In the end, the rank or the face. */
} IN(Card);

INLINE vector IN(packed)(const vector halves[2])
{
    return V(packus_epi16)(halves[0], halves[1]);
}

INLINE vector IN(wide)(vector mask, int half)
{
    return half ? V(unpackhi_epi8)(mask, mask) : V(unpacklo_epi8)(mask, mask);
}

/* The byte places of a card that only the lanes not in `absent` draw: the others have a place behind all cards. */
INLINE void IN(prepare)(IN(Lanes) *lanes, vector low, vector high, const vector place[2], vector absent, int suits,
                        IN(Card) *card)
{
    card->low = LOGIC(xor)(LOGIC(or)(low, absent), TURNED);
    card->high = LOGIC(xor)(LOGIC(or)(high, absent), TURNED);
    if (!suits) {
        card->sum = V(set1_epi8)(LOW_RANKS);
        return;
    }
    vector behind[2], below[2];
    EACH(half, 2) {
        behind[half] = V(min_epu16)(V(sub_epi16)(place[half], lanes->middle[half]), V(set1_epi16)(255));
        below[half] = LOGIC(andnot)(IN(wide)(absent, half), GREATER_16(lanes->middle[half], place[half]));
        lanes->middle[half] = V(add_epi16)(lanes->middle[half], below[half]);
    }
    card->middle = LOGIC(xor)(LOGIC(or)(IN(packed)(behind), absent), TURNED);
    vector in_first = LOGIC(and)(V(packs_epi16)(below[0], below[1]), V(set1_epi8)(LOW_FACES));
    card->sum = V(sub_epi8)(V(set1_epi8)(LOW_FACES + MIDDLE_FACES), in_first);
}

/* Takes `cards` cards one after the other from each of some counts. A compiler would rather keep the comparisons of
   all counts, and add them up in the end, than the few sums: hence the empty instruction that needs the sum. */
#define TAKE_FROM(counts, from, to, places, COUNT) do { \
        _Pragma("GCC unroll 64") \
        for (int place = from; place < to; place++) { \
            vector count = counts[place]; \
            EACH(each, cards) { \
                COUNT(count, places[each], sums[each]); \
                __asm__("" : "+v"(sums[each])); \
            } \
            counts[place] = count; \
        } \
    } while (0)

/* Takes `cards` cards, one after the other. */
INLINE void IN(take)(IN(Lanes) *lanes, IN(Card) *card, int cards, int suits)
{
    vector *counts = lanes->counts, sums[4], places[4];
    EACH(each, cards)
        sums[each] = card[each].sum, places[each] = card[each].low;
    if (suits) {
        TAKE_FROM(counts, 0, LOW_FACES, places, COUNT_DOWN);
        EACH(each, cards)
            places[each] = card[each].middle;
        TAKE_FROM(counts, LOW_FACES, LOW_FACES + MIDDLE_FACES, places, COUNT_DOWN);
    } else
        TAKE_FROM(counts, 0, LOW_RANKS, places, COUNT_DOWN);
    EACH(each, cards)
        places[each] = card[each].high;
    if (suits)
        TAKE_FROM(counts, LOW_FACES + MIDDLE_FACES, MOST_COUNTS, places, COUNT_UP);
    else
        TAKE_FROM(counts, LOW_RANKS, RANKS - 1, places, COUNT_UP);
    EACH(each, cards)
        card[each].sum = sums[each];
}

/* A face taken apart into rank and suit. */
INLINE vector IN(rank_of)(vector face, vector *suit)
{
    vector fifth = V(set1_epi16)(13108); /* 65536 / 5, rounded up: exact for all faces. */
    vector even = V(mulhi_epu16)(LOGIC(and)(face, V(set1_epi16)(255)), fifth);
    vector odd = V(slli_epi16)(V(mulhi_epu16)(V(srli_epi16)(face, 8), fifth), 8);
    vector rank = LOGIC(or)(even, odd), twice = V(add_epi8)(rank, rank);
    *suit = V(sub_epi8)(face, V(add_epi8)(V(add_epi8)(twice, twice), rank));
    return rank;
}

INLINE vector IN(last_digit)(vector sum)
{
    return V(min_epu8)(sum, V(sub_epi8)(sum, V(set1_epi8)(10)));
}

/* Whether table `which` has the bit of the Banker's total, by a total or a third card. */
INLINE vector IN(draws)(const IN(Lookup) *lookup, int which, vector by, vector banker)
{
    vector low = LOGIC(and)(V(shuffle_epi8)(lookup->draws_low[which], by), V(shuffle_epi8)(lookup->bit_low, banker));
    vector high = LOGIC(and)(V(shuffle_epi8)(lookup->draws_high[which], by), V(shuffle_epi8)(lookup->bit_high, banker));
    vector zero = V(set1_epi8)(0);
    return EQUAL(EQUAL(LOGIC(or)(low, high), zero), zero);
}

/* Deals a round in every lane and writes the cells. */
INLINE void IN(deal_round)(const Job *job, const IN(Lookup) *lookup, IN(Lanes) *lanes, int suits, uint16_t *cells)
{
    IN(Drawn) drawn[6];
    IN(Card) card[6];
    vector rank[6], suit[6], none = V(set1_epi8)(0), all = V(set1_epi8)(-1);
    IN(draw_places)(job, lanes, 3, drawn);
    EACH(each, 4)
        IN(prepare)(lanes, IN(packed)(drawn[each].place), IN(packed)(drawn[each].rest), drawn[each].place, none, suits,
                    &card[each]);
    IN(take)(lanes, card, 4, suits);
    EACH(each, 4)
        rank[each] = suits ? IN(rank_of)(card[each].sum, &suit[each]) : card[each].sum;
    vector p1 = rank[0], b1 = rank[1], p2 = rank[2], b2 = rank[3];
    vector points = lookup->points;
    vector player = IN(last_digit)(V(add_epi8)(V(shuffle_epi8)(points, p1), V(shuffle_epi8)(points, p2)));
    vector banker = IN(last_digit)(V(add_epi8)(V(shuffle_epi8)(points, b1), V(shuffle_epi8)(points, b2)));

    vector player_draws = IN(draws)(lookup, 0, player, banker), first = IN(draws)(lookup, 1, player, banker);
    vector low = IN(packed)(drawn[4].place), high = IN(packed)(drawn[4].rest);
    IN(prepare)(lanes, low, high, drawn[4].place, LOGIC(xor)(player_draws, all), suits, &card[4]);
    IN(take)(lanes, card + 4, 1, suits);
    vector p3 = suits ? IN(rank_of)(card[4].sum, &suit[4]) : card[4].sum;
    vector third = LOGIC(and)(V(shuffle_epi8)(points, p3), player_draws);
    vector banker_draws = CHOOSE(player_draws, IN(draws)(lookup, 2, third, banker), first);
    player = IN(last_digit)(V(add_epi8)(player, third));

    /* The Banker's third card is the sixth of the round, or the fifth where the Player stands. */
    vector place[2];
    EACH(half, 2)
        place[half] = CHOOSE(IN(wide)(player_draws, half), drawn[5].place[half], drawn[4].place[half]);
    low = CHOOSE(player_draws, IN(packed)(drawn[5].place), low);
    high = CHOOSE(player_draws, IN(packed)(drawn[5].rest), high);
    IN(prepare)(lanes, low, high, place, LOGIC(xor)(banker_draws, all), suits, &card[5]);
    IN(take)(lanes, card + 5, 1, suits);
    vector b3 = suits ? IN(rank_of)(card[5].sum, &suit[5]) : card[5].sum;
    banker = IN(last_digit)(V(add_epi8)(banker, LOGIC(and)(V(shuffle_epi8)(points, b3), banker_draws)));

    vector detail = LOGIC(and)(V(shuffle_epi8)(lookup->player_pair, p1), EQUAL(p1, p2));
    detail = V(add_epi8)(detail, LOGIC(and)(V(shuffle_epi8)(lookup->banker_pair, b1), EQUAL(b1, b2)));
    for (int hand = 0; hand < lookup->hands; hand++) {
        int of_banker = lookup->banker[hand];
        vector code = lookup->code[hand], sum = LOGIC(and)(V(shuffle_epi8)(code, of_banker ? b3 : p3),
                                                          of_banker ? banker_draws : player_draws);
        sum = V(add_epi8)(sum, V(shuffle_epi8)(code, of_banker ? b1 : p1));
        sum = V(add_epi8)(sum, V(shuffle_epi8)(code, of_banker ? b2 : p2));
        detail = V(add_epi8)(detail, LOGIC(and)(EQUAL(sum, lookup->sum[hand]), lookup->detail[hand]));
    }
    if (suits) {
        vector player_suit = EQUAL(suit[0], suit[2]), banker_suit = EQUAL(suit[1], suit[3]);
        detail = V(add_epi8)(detail, LOGIC(and)(V(shuffle_epi8)(lookup->player_suit, suit[0]), player_suit));
        detail = V(add_epi8)(detail, LOGIC(and)(V(shuffle_epi8)(lookup->banker_suit, suit[1]), banker_suit));
        vector one_suit = LOGIC(and)(LOGIC(and)(player_suit, banker_suit), EQUAL(suit[0], suit[1]));
        one_suit = LOGIC(andnot)(LOGIC(andnot)(EQUAL(suit[4], suit[0]), player_draws), one_suit);
        one_suit = LOGIC(andnot)(LOGIC(andnot)(EQUAL(suit[5], suit[0]), banker_draws), one_suit);
        detail = V(add_epi8)(detail, LOGIC(and)(V(shuffle_epi8)(lookup->one_suit, suit[0]), one_suit));
    }
    vector totals = V(add_epi8)(V(shuffle_epi8)(lookup->tens, player), banker);
    /* Lanes without a shoe are tallied where no round is, each in its own cell, since one for all would be slow. */
    totals = LOGIC(or)(LOGIC(or)(totals, LOGIC(and)(player_draws, V(set1_epi8)((char)128))), lanes->absent);
    detail = LOGIC(or)(detail, LOGIC(and)(banker_draws, V(set1_epi8)(1)));
    detail = CHOOSE(lanes->absent, lookup->lane, detail);
    vector to[2] = {V(unpacklo_epi8)(totals, detail), V(unpackhi_epi8)(totals, detail)};
    memcpy(cells, to, sizeof to);

    vector used = V(sub_epi8)(V(sub_epi8)(V(set1_epi8)(4), player_draws), banker_draws);
    lanes->unseen[0] = V(sub_epi16)(lanes->unseen[0], V(unpacklo_epi8)(used, none));
    lanes->unseen[1] = V(sub_epi16)(lanes->unseen[1], V(unpackhi_epi8)(used, none));
}

/* --- Shoes --------------------------------------------------------------------------------------------------- */

INLINE vector IN(sum_as_byte)(int sum)
{
    return LOGIC(xor)(V(set1_epi8)((char)sum), TURNED);
}

/* The blocks that seed the generators: `philox` with a shoe in every 64 bits, of which the upper half is of no
   meaning until the end. */
INLINE void IN(seed)(const Job *job, IN(Lanes) *lanes)
{
    uint64_t numbers[LANES], block[4][LANES / 8];
    uint32_t state[4][LANES];
    for (int lane = 0; lane < LANES; lane++)
        numbers[lane] = lanes->first + (uint64_t)lane;
    for (int from = 0; from < LANES; from += LANES / 8) {
        vector a, b, c = V(set1_epi32)(0), d = c;
        memcpy(&a, numbers + from, sizeof a);
        b = V(srli_epi64)(a, 32);
        uint32_t key = (uint32_t)job->seed, other_key = (uint32_t)(job->seed >> 32);
        for (int round = 0; round < 10; round++) {
            vector first = V(mul_epu32)(a, V(set1_epi32)((int)0xD2511F53u));
            vector second = V(mul_epu32)(c, V(set1_epi32)((int)0xCD9E8D57u));
            a = LOGIC(xor)(LOGIC(xor)(V(srli_epi64)(second, 32), b), V(set1_epi32)((int)key));
            c = LOGIC(xor)(LOGIC(xor)(V(srli_epi64)(first, 32), d), V(set1_epi32)((int)other_key));
            b = second;
            d = first;
            key += 0x9E3779B9u;
            other_key += 0xBB67AE85u;
        }
        memcpy(block[0], &a, sizeof a);
        memcpy(block[1], &b, sizeof b);
        memcpy(block[2], &c, sizeof c);
        memcpy(block[3], &d, sizeof d);
        for (int word = 0; word < 4; word++)
            for (int lane = 0; lane < LANES / 8; lane++)
                state[word][from + lane] = (uint32_t)block[word][lane];
    }
    memcpy(lanes->state, state, sizeof state);
}

INLINE void IN(open_shoes)(const Job *job, const IN(Lookup) *lookup, IN(Lanes) *lanes, uint64_t first, int shoes,
                           int suits)
{
    uint8_t absent[LANES];
    int sum = 0, face;
    const uint16_t *faces = &job->tables.counts[0][0];
    lanes->first = first;
    lanes->words = 0;
    for (int lane = 0; lane < LANES; lane++) {
        /* Which shoe has this byte: see the beginning of this file. */
        int half = lane / 8 % 2, place = lane % 8 + lane / 16 * 8;
        absent[lane] = (2 * half + place % 2) * WORDS_IN_A_VECTOR + place / 2 < shoes ? 0 : 255;
    }
    IN(seed)(job, lanes);
    memcpy(&lanes->absent, absent, sizeof absent);
    if (suits) {
        for (face = 0; face < LOW_FACES; face++)
            lanes->counts[face] = IN(sum_as_byte)(sum += faces[face]);
        lanes->middle[0] = lanes->middle[1] = V(set1_epi16)((short)sum);
        for (sum = 0; face < LOW_FACES + MIDDLE_FACES; face++)
            lanes->counts[face] = IN(sum_as_byte)(sum += faces[face]);
        for (sum = 0, face = FACES - 1; face > LOW_FACES + MIDDLE_FACES; face--)
            lanes->counts[face - 1] = IN(sum_as_byte)(sum += faces[face]);
    } else {
        for (face = 0; face < LOW_RANKS * SUITS; face++) {
            sum += faces[face];
            lanes->counts[face / SUITS] = IN(sum_as_byte)(sum);
        }
        for (sum = 0, face = FACES - 1; face >= (LOW_RANKS + 1) * SUITS; face--) {
            sum += faces[face];
            lanes->counts[face / SUITS - 1] = IN(sum_as_byte)(sum);
        }
    }
    lanes->unseen[0] = lanes->unseen[1] = V(set1_epi16)((short)job->cards);
    lanes->burned[0] = lanes->burned[1] = lanes->last = V(set1_epi8)(0);
    if (job->burn) {
        IN(Drawn) drawn[2];
        IN(Card) card;
        vector suit, none = V(set1_epi8)(0);
        IN(draw_places)(job, lanes, 1, drawn);
        IN(prepare)(lanes, IN(packed)(drawn->place), IN(packed)(drawn->rest), drawn->place, none, suits, &card);
        IN(take)(lanes, &card, 1, suits);
        vector points = V(shuffle_epi8)(lookup->points, suits ? IN(rank_of)(card.sum, &suit) : card.sum);
        vector burned = V(add_epi8)(points, LOGIC(and)(EQUAL(points, none), V(set1_epi8)(10)));
        lanes->burned[0] = V(unpacklo_epi8)(burned, none);
        lanes->burned[1] = V(unpackhi_epi8)(burned, none);
        for (int half = 0; half < 2; half++)
            lanes->unseen[half] = V(sub_epi16)(lanes->unseen[half], V(set1_epi16)(1));
    }
}

/* After a round, or before the first: which shoes are finished, and in which only one round is left. */
INLINE void IN(look_for_cut)(const Job *job, IN(Lanes) *lanes)
{
    vector beyond[2], enough[2], all = V(set1_epi8)(-1);
    for (int half = 0; half < 2; half++) {
        vector left = V(sub_epi16)(lanes->unseen[half], lanes->burned[half]);
        beyond[half] = GREATER_16(left, V(set1_epi16)((short)job->cut));
        enough[half] = GREATER_16(left, V(set1_epi16)(CARDS_FOR_A_ROUND - 1));
    }
    lanes->absent = LOGIC(or)(LOGIC(or)(lanes->absent, lanes->last),
                              LOGIC(xor)(V(packs_epi16)(enough[0], enough[1]), all));
    lanes->last = LOGIC(or)(lanes->last, LOGIC(xor)(V(packs_epi16)(beyond[0], beyond[1]), all));
    /* A finished shoe goes on with any number of cards that is not so small that its words would be suspect. */
    for (int half = 0; half < 2; half++)
        lanes->unseen[half] =
            CHOOSE(IN(wide)(lanes->absent, half), V(set1_epi16)((short)job->cards), lanes->unseen[half]);
}

INLINE void IN(tally)(const uint16_t *cells, uint32_t *tallies)
{
    for (int lane = 0; lane < LANES; lane += 4) {
        uint64_t four;
        memcpy(&four, cells + lane, sizeof four);
        tallies[(uint16_t)four]++;
        tallies[(uint16_t)(four >> 16)]++;
        tallies[(uint16_t)(four >> 32)]++;
        tallies[four >> 48]++;
    }
}

/* Two vectors of lanes take turns: while one waits for its cards, the other keeps the processor busy. */
#define STRANDS 2

INLINE void IN(deal_to_the_end)(const Job *job, uint64_t first, uint64_t shoes, int suits, uint32_t *tallies)
{
    IN(Lanes) lanes[STRANDS];
    IN(Lookup) lookup;
    uint16_t cells[LANES];
    IN(fill_lookup)(&lookup, &job->tables);
    /* The cut card cannot appear, nor the shoe run out, before this many rounds of six cards. */
    int kept = job->cut + 1 > CARDS_FOR_A_ROUND ? job->cut + 1 : CARDS_FOR_A_ROUND;
    int sure = job->cards - (job->burn ? 11 : 0) - kept;
    int rounds = job->rounds ? job->rounds : sure < 0 ? 0 : sure / CARDS_FOR_A_ROUND;
    while (shoes) {
        int strands = 0;
        for (; strands < STRANDS && shoes; strands++) {
            int now = shoes < LANES ? (int)shoes : LANES;
            IN(open_shoes)(job, &lookup, &lanes[strands], first, now, suits);
            if (!job->rounds)
                IN(look_for_cut)(job, &lanes[strands]);
            first += (uint64_t)now;
            shoes -= (uint64_t)now;
        }
        for (int round = 0; round < rounds; round++)
            for (int strand = 0; strand < strands; strand++) {
                IN(deal_round)(job, &lookup, &lanes[strand], suits, cells);
                IN(tally)(cells, tallies);
            }
        for (int dealing = !job->rounds; dealing;) {
            dealing = 0;
            for (int strand = 0; strand < strands; strand++)
                if (ANY(LOGIC(xor)(lanes[strand].absent, V(set1_epi8)(-1)))) {
                    dealing = 1;
                    IN(deal_round)(job, &lookup, &lanes[strand], suits, cells);
                    IN(tally)(cells, tallies);
                    IN(look_for_cut)(job, &lanes[strand]);
                }
        }
    }
}

TARGET static void IN(deal_lanes)(const Job *job, uint64_t first, uint64_t shoes, uint32_t *tallies)
{
    if (job->suits)
        IN(deal_to_the_end)(job, first, shoes, 1, tallies);
    else
        IN(deal_to_the_end)(job, first, shoes, 0, tallies);
}

#undef IN
#undef TARGET
#undef INLINE
#undef LANES
#undef vector
#undef V
#undef LOGIC
#undef EQUAL
#undef GREATER_16
#undef EQUAL_16
#undef ODD_FROM
#undef CHOOSE
#undef ANY
#undef ROTATED
#undef TABLE
#undef COUNT_DOWN
#undef COUNT_UP
#undef WORDS_IN_A_VECTOR
#undef MOST_COUNTS
#undef TURNED
#undef TAKE_FROM
#undef EACH
#undef STRANDS
