/* Exact odds: what is worth vectors, in the instruction sets that the machine may have. */

/* The products of the multisets of low values and of high ones. */
struct halves {
    double *low, *high;
};

typedef void (*apply_function)(uint64_t *const *, const double *, int, const struct halves *);

/* The rounds of several classes of cards are counted together, a class in each lane. */
#if defined(__GNUC__)
enum { CLASSES_TOGETHER = 8 };
typedef int32_t lanes __attribute__((vector_size(32)));
#else
enum { CLASSES_TOGETHER = 1 };
typedef int32_t lanes;
#endif

/* A set of totals of a hand: bit t is the total t; and the same as runs from a total to before another. */
struct totals {
    int32_t set, runs, begins[5], ends[5];
    int32_t itself[10]; /* whether a card of the value would be its own partner */
};

/* Totals of both hands with which a round goes the same way: any of one set with any of another. */
enum { BANKER_DRAWS, PLAYER_DRAWS, BANKER_STANDS };
struct rectangle {
    int32_t way, one, other, both; /* places of the Player's totals, of the Banker's, and of those in both sets */
};

/* Totals with which the Banker stands on a Player's third card of a certain value. Cards that make such a total with it
   have then a partner less. */
struct without {
    int32_t rectangle;
    int32_t itself_one, itself_other; /* whether two such cards make a total in the set */
    int32_t less_length, less[20];    /* places in partners.weighted: of values that make a total in the other set */
    int32_t more_length, more[10];    /* values that make a total in both sets */
};

/* With which totals a round ends after four cards, and with which after five. */
struct round_lengths {
    int32_t sets_length, rectangles_length, without_length[10];
    int32_t less_length, more_length; /* the longest of all in `without`: loops of one length run faster */
    struct totals sets[SETS_MAX];
    struct rectangle rectangles[RECTANGLES_MAX];
    struct without without[10][10]; /* by the Player's third card */
};

struct partners {
    lanes counts[11];      /* by value, and then a zero */
    lanes (*partners)[10]; /* by set of totals and value: with how many cards a card makes such a total */
    lanes *weighted;       /* the same times the cards of the value, ten of a set together, and then a zero */
    lanes *pairs;          /* by set of totals */
    lanes *shared;         /* by rectangle: pairs of pairs that have a card in common */
};

struct instruction_set {
    void (*expand_half)(double *, const int32_t *, int);
    void (*count_rounds)(double *, double *, const struct round_lengths *, struct partners *);
    apply_function apply[SHOES_TOGETHER][TOGETHER];
};

/* Keeps a compiler from reading the same vector of memory once for each use. */
#if defined(__GNUC__) && defined(__x86_64__)
#define IN_REGISTER(loaded) __asm__("" : "+x"(loaded))
#else
#define IN_REGISTER(loaded) ((void)0)
#endif

/* A loop that a compiler makes one vector of, unless it unrolls it first. */
#if defined(__GNUC__) && !defined(__clang__)
#define FOR_LANES _Pragma("GCC unroll 1") for (int lane = 0; lane < CLASSES_TOGETHER; lane++)
#else
#define FOR_LANES for (int lane = 0; lane < CLASSES_TOGETHER; lane++)
#endif

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#define ALWAYS_INLINE inline __attribute__((always_inline))
#elif defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 10")
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define UNROLL
#define ALWAYS_INLINE inline
#endif

#if defined(__GNUC__)
typedef double vector_of_2 __attribute__((vector_size(16)));
#define IN(name) name##_plain
#define TARGET
#define LANES 2
#define vector vector_of_2
#else
#define IN(name) name##_plain
#define TARGET
#define LANES 1
#define vector double
#endif
#include "odds_vectors.h"
#undef IN
#undef TARGET
#undef LANES
#undef vector

#if defined(__GNUC__) && defined(__x86_64__)
typedef double vector_of_4 __attribute__((vector_size(32)));
#define IN(name) name##_avx2
#define TARGET __attribute__((target("avx2,fma")))
#define LANES 4
#define vector vector_of_4
#include "odds_vectors.h"
#undef IN
#undef TARGET
#undef LANES
#undef vector
#define HAS_AVX2 (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))

typedef double vector_of_8 __attribute__((vector_size(64)));
#define IN(name) name##_avx512
#define TARGET __attribute__((target("avx512f,avx512vl,avx2,fma")))
#define LANES 8
#define vector vector_of_8
#include "odds_vectors.h"
#undef IN
#undef TARGET
#undef LANES
#undef vector
#define HAS_AVX512 (HAS_AVX2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
#else
#define HAS_AVX2 0
#define HAS_AVX512 0
#define instructions_avx2 instructions_plain
#define instructions_avx512 instructions_plain
#endif

/* In use: the best that the machine has, or what a test asks for. */
static const struct instruction_set *instructions = &instructions_plain;

/* Whether the machine has the instruction set of that name, which is then in use. */
static int choose_instructions(const char *name)
{
    if (strcmp(name, "plain") == 0)
        instructions = &instructions_plain;
    else if (strcmp(name, "avx2") == 0 && HAS_AVX2)
        instructions = &instructions_avx2;
    else if (strcmp(name, "avx512") == 0 && HAS_AVX512)
        instructions = &instructions_avx512;
    else
        return 0;
    return 1;
}
