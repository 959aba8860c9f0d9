/* Exact odds: multisets of point values, and where a form keeps what belongs to each. */

enum {
    CARDS_MAX = 128,      /* faces of a pack */
    DRAWN = 6,            /* cards of the longest round */
    DRAW_MIN = 4,         /* cards of the shortest */
    CELLS = 400,          /* totals of both hands, and whether each has two or three cards */
    ZEROS_MAX = 200,      /* cards of value 0 in ten packs of 65 */
    VALUE_MAX = 50,       /* cards of each other value */
    SHOE_MAX = 650,       /* all cards */
    HALF = 5,             /* values are cut in 0-4 and 5-9 */
    CHUNK = 8,            /* rows of coefficients are padded to whole chunks */
    GROUP = 5,            /* rows of coefficients go in groups of so many, but for single ones */
    TOGETHER = 3,         /* at most so many forms are evaluated together, */
    SHOES_TOGETHER = 2,   /* of so many compositions: what the registers of most machines hold */
    ORDERS_ALIKE = 4,     /* swapping the first two cards of a hand changes nothing, so orders come in fours */
    RECTANGLES_MAX = 120, /* ten for each of twelve ways in which a round can go */
    SETS_MAX = 360,       /* three for each rectangle */
    CACHE_LINE = 64,
    HALF_LENGTH = 8 + 8 + 16 + 40 + 72 + 128 + 216 + CHUNK,
};

/* How many multisets of so many cards there are of so many values, and how many of fewer cards. */
static const int MULTISETS[6][DRAWN + 1] = {
    {1, 0, 0, 0, 0, 0, 0},    {1, 1, 1, 1, 1, 1, 1},      {1, 2, 3, 4, 5, 6, 7},
    {1, 3, 6, 10, 15, 21, 28}, {1, 4, 10, 20, 35, 56, 84}, {1, 5, 15, 35, 70, 126, 210},
};
static const int MULTISETS_BELOW[6][DRAWN + 1] = {
    {0, 1, 1, 1, 1, 1, 1},   {0, 1, 2, 3, 4, 5, 6},      {0, 1, 3, 6, 10, 15, 21},
    {0, 1, 4, 10, 20, 35, 56}, {0, 1, 5, 15, 35, 70, 126}, {0, 1, 6, 21, 56, 126, 252},
};
/* Where the multisets of each size begin in the products of one half of the values: at whole chunks. */
static const int PLACE_IN_HALF[DRAWN + 1] = {0, 8, 16, 32, 72, 144, 272};

/* Blocks are added as doubles as long as their sum is below 2^53, and then as integers: of a form of six cards those
   with up to three low cards, then that with four, then the others. Smaller forms are far below. */
#define ENDS_EXACTLY(size, low) ((size) == DRAWN && ((low) == 3 || (low) == 4))

/* C(n, k), in rows of eight for their addresses' sake. */
static double BINOMIALS[ZEROS_MAX + 1][8];
/* The place of a multiset of one half of the values among those of its size, by the sum of 7^value. */
static uint16_t PLACE_OF_HALF[16807];
static const int SEVENS[HALF] = {1, 7, 49, 343, 2401};

/* In the order in which expand_half writes: by how often the last value is taken, then the last but one .. */
static void place_halves(int values, int size, int key, int *place)
{
    if (values == 1) {
        PLACE_OF_HALF[key + size] = (uint16_t)(*place)++;
        return;
    }
    for (int taken = 0; taken <= size; taken++)
        place_halves(values - 1, size - taken, key + taken * SEVENS[values - 1], place);
}

static void make_tables(void)
{
    for (int n = 0; n <= ZEROS_MAX; n++) {
        BINOMIALS[n][0] = 1;
        for (int k = 1; k <= DRAWN; k++)
            BINOMIALS[n][k] = n == 0 ? 0 : BINOMIALS[n - 1][k - 1] + BINOMIALS[n - 1][k];
    }
    for (int size = 0; size <= DRAWN; size++) {
        int place = 0;
        place_halves(HALF, size, 0, &place);
    }
}
