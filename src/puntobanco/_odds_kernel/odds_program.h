/* Exact odds: the parts of a program. */

/* Who draws when, from the tableau. */
enum { NOBODY, PLAYER, BANKER };
struct course {
    int32_t hand;         /* who draws after the first four cards */
    int32_t banker_draws; /* bit v: and then the Banker, on a Player's third card of value v */
};

static int cell_of(int player_total, int banker_total, int player_cards, int banker_cards)
{
    return (player_total * 10 + banker_total) * 4 + (player_cards - 2) * 2 + banker_cards - 2;
}

struct card_class {
    int32_t length;
    uint8_t cards[CARDS_MAX];
    int32_t tally;    /* where its cards are counted, or */
    int32_t by_value; /* where they are counted by value; -1: they are not */
};

/* A card is counted in a tally. */
struct count {
    uint16_t tally;
    uint8_t card, turn;
};

/* A falling factorial: (n - offset) (n - offset - 1) .., for the count n of a class. */
struct falling {
    int32_t card_class, offset, length;
};

/* Forms of one size over labels of cells, which exclude each other. */
struct form_set {
    int32_t size, labels, length; /* the length of one form, in doubles */
    void *memory;
    double *coefficients; /* as apply_3 and the last apply_n read them, from the start of a cache line */
};

struct application {
    int32_t card_class, form_set, largest;
};

/* Each hand's first two cards from a class, one within the other; the round is over after them. Of each total of the
   inner hand: its weights by the total of the outer hand, and which of them are not zero. */
struct two_pairs {
    int32_t inner, outer;
    int32_t weights[10][10];
    int32_t lengths[10], totals[10][10];
};

/* A pair of units that fills the first two cards of a hand. */
struct pair {
    uint8_t first, second, orders;
};

/* Anything else, by enumeration of units: cards that are alike in value and in the slots that they may fill. After them
   come ten units of all cards of a value, which serve slots that any card may fill, once the others are filled. */
struct enumeration {
    int32_t units;
    int16_t unit_of[CARDS_MAX];           /* -1: the card fits nowhere */
    uint8_t value_unit[CARDS_MAX + 10];   /* what else is used up with a card of the unit */
    int32_t by_value;                     /* the units of values are in use */
    int32_t banker_first;                 /* the Banker's cards are enumerated first */
    struct pair *pairs[2];                /* of the hand enumerated first, and of the other */
    int32_t pairs_begin[2][11];           /* by total */
    int32_t thirds_length[2];             /* of the Player and of the Banker */
    uint8_t thirds[2][CARDS_MAX + 10];
    uint8_t values[CARDS_MAX + 10];       /* by unit */
    uint8_t reachable[10][10];            /* a weight that is not zero can be reached from these totals */
    int32_t weights[CELLS];
};

struct product {
    int64_t coefficient;
    int32_t begin, end; /* its factors */
};

struct program {
    int32_t cards, classes, tallies, fallings, form_sets, applications, rounds, two_pairs, enumerations;
    int32_t products, sums, outcomes, values;
    int32_t value_of[CARDS_MAX];
    struct course courses[10][10];
    struct round_lengths round_lengths;
    struct card_class *card_class;
    struct falling *falling;
    struct form_set *form_set;
    struct application *application;
    int32_t round_tallies; /* where the cards of these are counted by value, class by class in lanes */
    int32_t counts;
    struct count *count;
    int32_t *round_class; /* the classes of which rounds of four and of five cards are counted */
    struct two_pairs *two_pair;
    struct enumeration *enumeration;
    struct product *product;
    int32_t *factors;  /* of all products: places of values */
    int32_t *sum_ends; /* the product after the last of each sum */
    int32_t *results;  /* the value of each outcome */
};

/* Of memory with a cache line to spare, the part that starts with a cache line. */
static void *from_cache_line(void *memory)
{
    return (char *)memory + (CACHE_LINE - (uintptr_t)memory % CACHE_LINE) % CACHE_LINE;
}

/* The room that one evaluation needs. Values are those of the fallings, applications, rounds, two pairs, enumerations
   and sums, in this order. */
struct room {
    void *memory; /* of the next two, from the start of a cache line: vectors that lie across two are slow */
    struct halves halves;
    struct partners *partners;
    uint64_t *values;
    int32_t *tallies;
    const uint8_t *shoe;
};

static int room_open(struct room *room, const struct program *program)
{
    size_t sets = (size_t)program->round_lengths.sets_length + 1;
    size_t rectangles = (size_t)program->round_lengths.rectangles_length + 1;
    size_t halves = 2 * HALF_LENGTH * sizeof(double);
    size_t partners = sizeof(struct partners) + (21 * sets + rectangles + 1) * sizeof(lanes);
    /* All from zeros, because padding must be finite. */
    room->memory = calloc(halves + partners + CACHE_LINE, 1);
    room->values = malloc(sizeof(uint64_t) * (size_t)(program->values + 1));
    room->tallies = malloc(sizeof(int32_t) * (size_t)(program->tallies + 1));
    if (!room->memory || !room->values || !room->tallies)
        return 0;
    room->halves.low = from_cache_line(room->memory);
    room->halves.high = room->halves.low + HALF_LENGTH;
    room->partners = (struct partners *)(room->halves.high + HALF_LENGTH);
    room->partners->partners = (lanes(*)[10])(room->partners + 1);
    room->partners->weighted = (lanes *)(room->partners->partners + sets);
    room->partners->pairs = room->partners->weighted + 10 * sets;
    room->partners->shared = room->partners->pairs + sets;
    return 1;
}

static void room_close(struct room *room)
{
    free(room->memory);
    free(room->values);
    free(room->tallies);
}

static void free_program(struct program *program)
{
    for (int place = 0; program->form_set && place < program->form_sets; place++)
        free(program->form_set[place].memory);
    for (int place = 0; program->enumeration && place < program->enumerations; place++) {
        free(program->enumeration[place].pairs[0]);
        free(program->enumeration[place].pairs[1]);
    }
    free(program->card_class);
    free(program->falling);
    free(program->form_set);
    free(program->application);
    free(program->round_class);
    free(program->count);
    free(program->two_pair);
    free(program->enumeration);
    free(program->product);
    free(program->factors);
    free(program->sum_ends);
    free(program->results);
    free(program);
}
