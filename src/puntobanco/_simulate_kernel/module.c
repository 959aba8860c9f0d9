/* The simulator: full shoes dealt without replacement, every finished round tallied in a cell.

   No game is named here. A game is compiled into `Tables` by simulate/tables.py: who draws, what a rank is worth,
   and which pairs, suits and sets of ranks its wagers look at. What a cell pays is read off afterwards, in Python.

   How a shoe is dealt (simulate/pure.py is the same in a few lines of Python):

   - The cards that nobody has seen lie in order, rank by rank and in each rank suit by suit. A card is drawn by
     its place, uniform below the number of cards: an exact draw without replacement.
   - Shoe s of seed k has its own generator: xoshiro128++, whose state is the Philox4x32-10 block of key k and
     counter (s, 0, 0). So shoes are independent of each other, and it does not matter who deals which.
   - One word gives two places, below n and below n - 1, by Lemire's multiplication: it is refused, in exactly the
     cases that would make a place likelier than another, in favour of the first word of the Philox block of
     counter (s, number of the word in the shoe, attempt), attempt = 1, 2, ..
   - With the burn, the first word gives the card that is shown; the cards burned face down stay unseen, and only
     shorten the shoe. Each round takes three words: for the first and second card, the third and fourth, and
     the fifth and sixth, whether or not they are dealt.

   The lanes in simulate_lanes.h deal 32 or 64 shoes at once and give the same tallies as `deal_shoe` below. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdint.h>
#include <string.h>

#define RANKS 13
#define SUITS 5
#define FACES (RANKS * SUITS)
#define HANDS 8
#define CELLS 65536
#define DETAILS 128
#define CARDS_FOR_A_ROUND 6
#define NO_CARD 255
#define BYTES_OF_A_ROUND 8

typedef struct {
    uint16_t banker;        /* Whether this looks at the Banker's hand, else at the Player's. */
    uint16_t code[RANKS];   /* 1, 4 and 16 for the ranks of the hand, 64 for any other .. */
    uint16_t sum;           /* .. so that no other hand of two or three cards has this sum. */
    uint16_t detail;
} NamedHand;

/* All 16-bit, so that Python can write it as one array. A "detail" is what a fact adds to the cell's. */
typedef struct {
    uint16_t counts[RANKS][SUITS];
    uint16_t points[RANKS];
    uint16_t player_draws[10];          /* By the Player's total, a bit for each total of the Banker. */
    uint16_t banker_draws_first[10];    /* The same, where the Player does not draw. */
    uint16_t banker_draws_second[10];   /* By the points of the Player's third card, a bit for each total. */
    uint16_t player_pair[RANKS];
    uint16_t banker_pair[RANKS];
    uint16_t player_suit[SUITS];
    uint16_t banker_suit[SUITS];
    uint16_t one_suit[SUITS];
    uint16_t hands;
    NamedHand hand[HANDS];
} Tables;

typedef struct {
    Tables tables;
    uint64_t seed;
    int cards;      /* In a new shoe. */
    int burn;
    int cut;
    int rounds;     /* To deal from every shoe, whatever the cut card; 0: as the cut card says. */
    int suits;      /* Whether a detail asks for suits. */
    int details;    /* How many there are. */
} Job;

/* --- The generators ------------------------------------------------------------------------------------------ */

static inline void philox(uint64_t seed, uint64_t shoe, uint32_t word, uint32_t attempt, uint32_t block[4])
{
    uint32_t a = (uint32_t)shoe, b = (uint32_t)(shoe >> 32), c = word, d = attempt;
    uint32_t key = (uint32_t)seed, other_key = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t first = (uint64_t)a * 0xD2511F53u, second = (uint64_t)c * 0xCD9E8D57u;
        a = (uint32_t)(second >> 32) ^ b ^ key;
        c = (uint32_t)(first >> 32) ^ d ^ other_key;
        b = (uint32_t)second;
        d = (uint32_t)first;
        key += 0x9E3779B9u;
        other_key += 0xBB67AE85u;
    }
    block[0] = a, block[1] = b, block[2] = c, block[3] = d;
}

static inline uint32_t rotated(uint32_t word, int by)
{
    return word << by | word >> (32 - by);
}

static inline uint32_t next_word(uint32_t state[4])
{
    uint32_t word = rotated(state[0] + state[3], 7) + state[0], shifted = state[1] << 9;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotated(state[3], 11);
    return word;
}

/* A place below n and one below n - 1, in places[0] and [1], from this word or, if refused, from others. */
static void two_places(uint64_t seed, uint64_t shoe, uint32_t number, uint32_t word, uint32_t n, uint32_t places[2])
{
    uint32_t pairs = n * (n - 1), block[4];
    for (uint32_t attempt = 1;; attempt++) {
        uint64_t first = (uint64_t)word * n, second = (uint64_t)(uint32_t)first * (n - 1);
        uint32_t left = (uint32_t)second;
        places[0] = (uint32_t)(first >> 32);
        places[1] = (uint32_t)(second >> 32);
        if (left >= pairs || left >= -pairs % pairs)
            return;
        philox(seed, shoe, number, attempt, block);
        word = block[0];
    }
}

/* --- One shoe, card by card ---------------------------------------------------------------------------------- */

typedef struct {
    const Job *job;
    uint64_t number;
    uint32_t state[4];
    uint32_t words;     /* Taken so far. */
    int unseen;
    int shown;          /* The card that was shown before the burn, or NO_CARD. */
    int burned;         /* Face down: unseen, but not in the shoe. */
    int suits;          /* Whether the suits of the cards are wanted. */
    uint16_t counts[RANKS][SUITS];
    int16_t ends[16];   /* How many unseen cards there are up to the end of each rank. */
} OneShoe;

static void take_places(OneShoe *shoe, int n, uint32_t places[2])
{
    two_places(shoe->job->seed, shoe->number, shoe->words, next_word(shoe->state), (uint32_t)n, places);
    shoe->words++;
}

/* The card at this place among those unseen, as rank * SUITS + suit. */
static int take_card(OneShoe *shoe, uint32_t place)
{
    int suit = 0;
    int16_t rank = 0, before = 0, at = (int16_t)place;
    for (int each = 0; each < 16; each++) {
        int16_t end = shoe->ends[each], behind = end > at;
        int16_t passed = behind ? 0 : end;
        before = passed > before ? passed : before;
        rank += 1 - behind;
        shoe->ends[each] = end - behind;
    }
    shoe->unseen--;
    if (shoe->suits) {
        for (at -= before; at >= shoe->counts[rank][suit]; suit++)
            at -= (int16_t)shoe->counts[rank][suit];
        shoe->counts[rank][suit]--;
    }
    return rank * SUITS + suit;
}

static void open_shoe(OneShoe *shoe, const Job *job, uint64_t number, int suits)
{
    int16_t end = 0;
    shoe->job = job;
    shoe->number = number;
    shoe->words = 0;
    shoe->unseen = job->cards;
    shoe->shown = NO_CARD;
    shoe->burned = 0;
    shoe->suits = suits;
    memcpy(shoe->counts, job->tables.counts, sizeof shoe->counts);
    for (int rank = 0; rank < 16; rank++) {
        for (int suit = 0; suit < SUITS && rank < RANKS; suit++)
            end += (int16_t)shoe->counts[rank][suit];
        /* What lies behind the last rank is never passed. */
        shoe->ends[rank] = rank < RANKS ? end : INT16_MAX;
    }
    philox(job->seed, number, 0, 0, shoe->state);
    if (job->burn) {
        uint32_t places[2];
        take_places(shoe, shoe->unseen, places);
        shoe->shown = take_card(shoe, places[0]);
        int points = job->tables.points[shoe->shown / SUITS];
        shoe->burned = points ? points : 10;
    }
}

/* Deals a round into cards[6], the Player's and then the Banker's, and returns its cell. */
static unsigned deal_round(OneShoe *shoe, uint8_t cards[6])
{
    const Tables *tables = &shoe->job->tables;
    uint32_t one[2], two[2], three[2];
    int n = shoe->unseen;
    take_places(shoe, n, one);
    take_places(shoe, n - 2, two);
    take_places(shoe, n - 4, three);
    int p1 = take_card(shoe, one[0]), b1 = take_card(shoe, one[1]);
    int p2 = take_card(shoe, two[0]), b2 = take_card(shoe, two[1]), p3 = NO_CARD, b3 = NO_CARD;
    const uint16_t *points = tables->points;
    int player = (points[p1 / SUITS] + points[p2 / SUITS]) % 10;
    int banker = (points[b1 / SUITS] + points[b2 / SUITS]) % 10, banker_draws;
    if (tables->player_draws[player] >> banker & 1) {
        p3 = take_card(shoe, three[0]);
        banker_draws = tables->banker_draws_second[points[p3 / SUITS]] >> banker & 1;
        player = (player + points[p3 / SUITS]) % 10;
    } else
        banker_draws = tables->banker_draws_first[player] >> banker & 1;
    if (banker_draws) {
        b3 = take_card(shoe, three[p3 != NO_CARD]);
        banker = (banker + points[b3 / SUITS]) % 10;
    }

    unsigned detail = 0;
    int p1_suit = p1 % SUITS, b1_suit = b1 % SUITS;
    if (p1 / SUITS == p2 / SUITS)
        detail += tables->player_pair[p1 / SUITS];
    if (b1 / SUITS == b2 / SUITS)
        detail += tables->banker_pair[b1 / SUITS];
    if (p1_suit == p2 % SUITS)
        detail += tables->player_suit[p1_suit];
    if (b1_suit == b2 % SUITS)
        detail += tables->banker_suit[b1_suit];
    if (p1_suit == p2 % SUITS && b1_suit == b2 % SUITS && p1_suit == b1_suit
        && (p3 == NO_CARD || p3 % SUITS == p1_suit) && (b3 == NO_CARD || b3 % SUITS == p1_suit))
        detail += tables->one_suit[p1_suit];
    for (const NamedHand *hand = tables->hand; hand < tables->hand + tables->hands; hand++) {
        int first = hand->banker ? b1 : p1, second = hand->banker ? b2 : p2, third = hand->banker ? b3 : p3;
        int sum = hand->code[first / SUITS] + hand->code[second / SUITS];
        sum += third == NO_CARD ? 0 : hand->code[third / SUITS];
        if (sum == hand->sum)
            detail += hand->detail;
    }
    cards[0] = (uint8_t)p1, cards[1] = (uint8_t)p2, cards[2] = (uint8_t)p3;
    cards[3] = (uint8_t)b1, cards[4] = (uint8_t)b2, cards[5] = (uint8_t)b3;
    return (unsigned)(player * 10 + banker + 128 * (p3 != NO_CARD) + 256 * (b3 != NO_CARD)) + 512 * detail;
}

/* Deals one shoe to its end; tallies its cells, lists them or writes its rounds, as asked. Returns how many rounds. */
static int deal_shoe(const Job *job, uint64_t number, uint32_t *tallies, uint16_t *listed, uint8_t *written)
{
    OneShoe shoe;
    uint8_t cards[6];
    int rounds = 0;
    open_shoe(&shoe, job, number, job->suits || written);
    int last = shoe.unseen - shoe.burned <= job->cut;
    while (job->rounds ? rounds < job->rounds : shoe.unseen - shoe.burned >= CARDS_FOR_A_ROUND) {
        unsigned cell = deal_round(&shoe, cards);
        if (tallies)
            tallies[cell]++;
        if (listed)
            listed[rounds] = (uint16_t)cell;
        if (written) {
            memcpy(written, cards, 6);
            written[6] = (uint8_t)cell, written[7] = (uint8_t)(cell >> 8);
            written += BYTES_OF_A_ROUND;
        }
        rounds++;
        if (!job->rounds) {
            if (last)
                break;
            last = shoe.unseen - shoe.burned <= job->cut;
        }
    }
    return rounds;
}

static void deal_plainly(const Job *job, uint64_t first, uint64_t shoes, uint32_t *tallies)
{
    for (uint64_t shoe = 0; shoe < shoes; shoe++)
        deal_shoe(job, first + shoe, tallies, NULL, NULL);
}

/* --- Many shoes in lanes ------------------------------------------------------------------------------------- */

/* How the lanes count their cards in bytes is told in simulate_lanes.h; these are the limits that follow. */
#define PLACES_OF_A_WORD (7 << 16)
#define LOW_RANKS 6
#define LOW_FACES 20
#define MIDDLE_FACES 20

enum { PLAIN, AVX2, AVX512 };

#if defined(__x86_64__) && defined(__GNUC__)
#define LANES_EXIST 1
#include <immintrin.h>

#define IN(name) name##_avx2
#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET static inline __attribute__((always_inline))
#define LANES 32
typedef __m256i vector_avx2;
#define vector vector_avx2
#define V(operation) _mm256_##operation
#define LOGIC(operation) _mm256_##operation##_si256
#define EQUAL(a, b) _mm256_cmpeq_epi8(a, b)
#define GREATER_16(a, b) _mm256_cmpgt_epi16(a, b)
#define EQUAL_16(a, b) _mm256_cmpeq_epi16(a, b)
#define ODD_FROM(a, b) _mm256_blend_epi16(a, b, 0xAA)
#define CHOOSE(mask, yes, no) _mm256_blendv_epi8(no, yes, mask)
#define ANY(mask) (!_mm256_testz_si256(mask, mask))
#define ROTATED(word, by) LOGIC(or)(V(slli_epi32)(word, by), V(srli_epi32)(word, 32 - (by)))
#define TABLE(table) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(table)))
/* Where the count is greater than the place: take one off the count and off the sum, or add it to the sum. */
#define COUNT_DOWN(count, place, sum) do { \
        vector passed = _mm256_cmpgt_epi8(count, place); \
        count = _mm256_add_epi8(count, passed); \
        sum = _mm256_add_epi8(sum, passed); \
    } while (0)
#define COUNT_UP(count, place, sum) do { \
        vector passed = _mm256_cmpgt_epi8(count, place); \
        count = _mm256_add_epi8(count, passed); \
        sum = _mm256_sub_epi8(sum, passed); \
    } while (0)
#include "simulate_lanes.h"

#define IN(name) name##_avx512
#define TARGET __attribute__((target("avx512bw")))
#define INLINE TARGET static inline __attribute__((always_inline))
#define LANES 64
typedef __m512i vector_avx512;
#define vector vector_avx512
#define V(operation) _mm512_##operation
#define LOGIC(operation) _mm512_##operation##_si512
#define EQUAL(a, b) _mm512_movm_epi8(_mm512_cmpeq_epi8_mask(a, b))
#define GREATER_16(a, b) _mm512_movm_epi16(_mm512_cmpgt_epi16_mask(a, b))
#define EQUAL_16(a, b) _mm512_movm_epi16(_mm512_cmpeq_epi16_mask(a, b))
#define ODD_FROM(a, b) _mm512_mask_blend_epi16(0xAAAAAAAA, a, b)
#define CHOOSE(mask, yes, no) _mm512_ternarylogic_epi32(mask, yes, no, 0xCA)
#define ANY(mask) (_mm512_test_epi8_mask(mask, mask) != 0)
#define ROTATED(word, by) _mm512_rol_epi32(word, by)
#define TABLE(table) _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(table)))
#define COUNT_DOWN(count, place, sum) do { \
        __mmask64 passed = _mm512_cmpgt_epi8_mask(count, place); \
        count = _mm512_mask_sub_epi8(count, passed, count, _mm512_set1_epi8(1)); \
        sum = _mm512_mask_sub_epi8(sum, passed, sum, _mm512_set1_epi8(1)); \
    } while (0)
#define COUNT_UP(count, place, sum) do { \
        __mmask64 passed = _mm512_cmpgt_epi8_mask(count, place); \
        count = _mm512_mask_sub_epi8(count, passed, count, _mm512_set1_epi8(1)); \
        sum = _mm512_mask_add_epi8(sum, passed, sum, _mm512_set1_epi8(1)); \
    } while (0)
#include "simulate_lanes.h"
#else
#define LANES_EXIST 0
#endif

static int best_instructions(void)
{
#if LANES_EXIST
    if (__builtin_cpu_supports("avx512bw"))
        return AVX512;
    if (__builtin_cpu_supports("avx2"))
        return AVX2;
#endif
    return PLAIN;
}

/* Whether the counts of this job fit the bytes of the lanes, and its places the words. */
static int fits_lanes(const Job *job)
{
    int ranks[RANKS] = {0}, low = 0, high = 0, first = 0, middle = 0, last = 0;
    for (int face = 0; face < FACES; face++) {
        int count = job->tables.counts[face / SUITS][face % SUITS];
        ranks[face / SUITS] += count;
        *(face < LOW_FACES ? &first : face < LOW_FACES + MIDDLE_FACES ? &middle : &last) += count;
    }
    for (int rank = 0; rank < RANKS; rank++)
        *(rank < LOW_RANKS ? &low : &high) += rank == LOW_RANKS ? 0 : ranks[rank];
    if (job->cards * (job->cards - 1) > PLACES_OF_A_WORD)
        return 0;
    return job->suits ? first < 256 && middle < 256 && last < 256 : low < 256 && high < 256;
}

static void deal_shoes(const Job *job, int instructions, uint64_t first, uint64_t shoes, uint32_t *tallies)
{
#if LANES_EXIST
    if (instructions != PLAIN && fits_lanes(job)) {
        (instructions == AVX512 ? deal_lanes_avx512 : deal_lanes_avx2)(job, first, shoes, tallies);
        return;
    }
#endif
    (void)instructions;
    deal_plainly(job, first, shoes, tallies);
}

/* --- Python -------------------------------------------------------------------------------------------------- */

static int highest(const uint16_t *details, int length)
{
    int found = 0;
    for (int place = 0; place < length; place++)
        found = details[place] > found ? details[place] : found;
    return found;
}

/* Reads and checks a job, so that no table of any caller can make the dealing leave its memory. */
static int read_job(Job *job, const Py_buffer *tables, unsigned long long seed, int burn, int cut, int rounds)
{
    if (tables->len != (Py_ssize_t)sizeof job->tables) {
        PyErr_SetString(PyExc_ValueError, "the tables have a wrong length");
        return 0;
    }
    memcpy(&job->tables, tables->buf, sizeof job->tables);
    Tables *given = &job->tables;
    job->seed = seed;
    job->burn = burn;
    job->cut = cut;
    job->rounds = rounds;
    job->cards = 0;
    int highest_suit = highest(given->player_suit, SUITS) + highest(given->banker_suit, SUITS)
                     + highest(given->one_suit, SUITS);
    int highest_detail = highest_suit + highest(given->player_pair, RANKS) + highest(given->banker_pair, RANKS);
    int lawful = given->hands <= HANDS && highest(given->points, RANKS) < 10 && cut >= 0 && rounds >= 0;
    for (int rank = 0; rank < RANKS; rank++)
        for (int suit = 0; suit < SUITS; suit++) {
            lawful = lawful && given->counts[rank][suit] <= 64;
            job->cards += given->counts[rank][suit];
        }
    for (int hand = 0; lawful && hand < given->hands; hand++) {
        highest_detail += given->hand[hand].detail;
        lawful = highest(given->hand[hand].code, RANKS) <= 64 && given->hand[hand].sum < 256;
    }
    job->suits = highest_suit > 0;
    job->details = highest_detail + 1;
    lawful = lawful && job->details <= DETAILS && job->cards >= CARDS_FOR_A_ROUND && cut <= job->cards;
    lawful = lawful && (!rounds || (int64_t)rounds * CARDS_FOR_A_ROUND + (burn ? 11 : 0) <= job->cards);
    if (!lawful)
        PyErr_SetString(PyExc_ValueError, "these tables cannot be dealt");
    return lawful;
}

#define SHOES_AT_ONCE (1 << 16)

PyDoc_STRVAR(tally_doc,
"tally(tables, seed, burn, cut, rounds, first, shoes, instructions, tallies)\n--\n\n"
"Deal the shoes numbered from first on, and add the number of rounds in each cell to tallies, 65,536 uint64.");

static PyObject *tally(PyObject *module, PyObject *args)
{
    Py_buffer tables, tallies;
    unsigned long long seed, first, shoes;
    int burn, cut, rounds, instructions;
    Job job;
    PyObject *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*KpiiKKiw*", &tables, &seed, &burn, &cut, &rounds, &first, &shoes, &instructions,
                          &tallies))
        return NULL;
    if (tallies.len != CELLS * (Py_ssize_t)sizeof(uint64_t)) {
        PyErr_SetString(PyExc_ValueError, "the tallies have a wrong length");
        goto done;
    }
    if (!read_job(&job, &tables, seed, burn, cut, rounds))
        goto done;
    instructions = instructions < best_instructions() ? instructions : best_instructions();
    uint32_t *counted = PyMem_Malloc(CELLS * sizeof *counted);
    if (!counted) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    unsigned cells = 512u * (unsigned)job.details;
    memset(counted, 0, CELLS * sizeof *counted);
    while (shoes) {
        /* As many as a 32-bit tally can hold the rounds of. */
        uint64_t now = shoes < SHOES_AT_ONCE ? shoes : SHOES_AT_ONCE;
        deal_shoes(&job, instructions, first, now, counted);
        for (unsigned cell = 0; cell < cells; cell++)
            if (counted[cell]) {
                if (cell % 256 != 255)
                    ((uint64_t *)tallies.buf)[cell] += counted[cell];
                counted[cell] = 0;
            }
        first += now;
        shoes -= now;
    }
    Py_END_ALLOW_THREADS
    PyMem_Free(counted);
    result = Py_None;
    Py_INCREF(result);
done:
    PyBuffer_Release(&tables);
    PyBuffer_Release(&tallies);
    return result;
}

PyDoc_STRVAR(deal_doc,
"deal(tables, seed, burn, cut, rounds, first, shoes)\n--\n\n"
"The rounds of some shoes as a list of bytes, one a shoe, eight bytes a round: the Player's three cards, the\n"
"Banker's three, each rank * 5 + suit or 255, and the cell, its low byte first.");

static PyObject *deal(PyObject *module, PyObject *args)
{
    Py_buffer tables;
    unsigned long long seed, first, shoes;
    int burn, cut, rounds;
    Job job;
    PyObject *list = NULL;
    uint8_t *written = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*KpiiKK", &tables, &seed, &burn, &cut, &rounds, &first, &shoes))
        return NULL;
    if (!read_job(&job, &tables, seed, burn, cut, rounds))
        goto done;
    written = PyMem_Malloc((size_t)(job.cards / 4 + 1) * BYTES_OF_A_ROUND);
    list = written ? PyList_New(0) : PyErr_NoMemory();
    for (uint64_t shoe = 0; list && shoe < shoes; shoe++) {
        int dealt = deal_shoe(&job, first + shoe, NULL, NULL, written);
        PyObject *bytes = PyBytes_FromStringAndSize((const char *)written, (Py_ssize_t)dealt * BYTES_OF_A_ROUND);
        if (!bytes || PyList_Append(list, bytes) < 0)
            Py_CLEAR(list);
        Py_XDECREF(bytes);
    }
done:
    PyMem_Free(written);
    PyBuffer_Release(&tables);
    return list;
}

PyDoc_STRVAR(shown_cards_doc,
"shown_cards(tables, seed, burn, cut, rounds, first, shoes)\n--\n\n"
"The card that is shown before the burn of each of some shoes, a byte a shoe: rank * 5 + suit, or 255 without a burn.");

static PyObject *shown_cards(PyObject *module, PyObject *args)
{
    Py_buffer tables;
    unsigned long long seed, first, shoes;
    int burn, cut, rounds;
    Job job;
    PyObject *bytes = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*KpiiKK", &tables, &seed, &burn, &cut, &rounds, &first, &shoes))
        return NULL;
    if (!read_job(&job, &tables, seed, burn, cut, rounds))
        goto done;
    if (shoes > PY_SSIZE_T_MAX) {
        PyErr_SetString(PyExc_ValueError, "there are too many shoes");
        goto done;
    }
    bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)shoes);
    for (uint64_t number = 0; bytes && number < shoes; number++) {
        OneShoe shoe;
        open_shoe(&shoe, &job, first + number, 1);
        PyBytes_AsString(bytes)[number] = (char)shoe.shown;
    }
done:
    PyBuffer_Release(&tables);
    return bytes;
}

PyDoc_STRVAR(sessions_doc,
"sessions(tables, seed, burn, cut, rounds, first, shoes_each, rounds_each, cells, fresh)\n--\n\n"
"Deal sessions of rounds_each rounds, each from shoes_each shoes of its own, numbered from first on. Session by\n"
"session, write the cell of every round to cells, uint16, and whether its shoe is a new one to fresh, uint8.");

static PyObject *sessions(PyObject *module, PyObject *args)
{
    Py_buffer tables, cells, fresh;
    unsigned long long seed, first, shoes_each, rounds_each;
    int burn, cut, rounds;
    Job job;
    PyObject *result = NULL;
    uint16_t *listed = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*KpiiKKKw*w*", &tables, &seed, &burn, &cut, &rounds, &first, &shoes_each,
                          &rounds_each, &cells, &fresh))
        return NULL;
    if (!read_job(&job, &tables, seed, burn, cut, rounds))
        goto done;
    uint64_t all = (uint64_t)fresh.len;
    if (!rounds_each || all % rounds_each || (uint64_t)cells.len != all * sizeof(uint16_t)) {
        PyErr_SetString(PyExc_ValueError, "the cells have a wrong length");
        goto done;
    }
    listed = PyMem_Malloc((size_t)(job.cards / 4 + 1) * sizeof *listed);
    if (!listed) {
        PyErr_NoMemory();
        goto done;
    }
    int enough = 1;
    Py_BEGIN_ALLOW_THREADS
    uint16_t *cell = cells.buf;
    uint8_t *is_fresh = fresh.buf;
    memset(is_fresh, 0, all);
    for (uint64_t session = 0; enough && session < all / rounds_each; session++, first += shoes_each) {
        uint64_t left = rounds_each;
        for (uint64_t shoe = 0; left && shoe < shoes_each; shoe++) {
            uint64_t dealt = (uint64_t)deal_shoe(&job, first + shoe, NULL, listed, NULL);
            dealt = dealt < left ? dealt : left;
            if (dealt)
                *is_fresh = 1;
            memcpy(cell, listed, dealt * sizeof *listed);
            cell += dealt, is_fresh += dealt, left -= dealt;
        }
        enough = !left;
    }
    Py_END_ALLOW_THREADS
    if (!enough) {
        PyErr_SetString(PyExc_ValueError, "the shoes of a session do not last");
        goto done;
    }
    result = Py_None;
    Py_INCREF(result);
done:
    PyMem_Free(listed);
    PyBuffer_Release(&tables);
    PyBuffer_Release(&cells);
    PyBuffer_Release(&fresh);
    return result;
}

PyDoc_STRVAR(instructions_doc,
"instructions()\n--\n\nThe best instructions of this machine: 0 plain C, 1 AVX2, 2 AVX-512. The tallies are the same.");

static PyObject *instructions(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyLong_FromLong(best_instructions());
}

static PyMethodDef methods[] = {
    {"tally", tally, METH_VARARGS, tally_doc},
    {"deal", deal, METH_VARARGS, deal_doc},
    {"shown_cards", shown_cards, METH_VARARGS, shown_cards_doc},
    {"sessions", sessions, METH_VARARGS, sessions_doc},
    {"instructions", instructions, METH_NOARGS, instructions_doc},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {{0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "puntobanco._simulate_kernel", "Deals shoes by the million.", 0, methods, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__simulate_kernel(void)
{
    return PyModuleDef_Init(&definition);
}
