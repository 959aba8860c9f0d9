/* Many patrons in one process: holds thousands of sockets, sends stakes, and measures when each is answered.

   bench/load.py builds and runs it, and says in its own words what is measured. One thread and one epoll, so that what
   it costs is little and known. The latency of an answer counts from the moment when the stake was due to be sent, not
   from when it was: a server that stalls is not spared the stakes that it kept from being sent. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { READ_BYTES = 1 << 20, CONNECTING_AT_ONCE = 64, REASONS = 24, REASON_BYTES = 40, GRACE_SECONDS = 10, OPENING_SECONDS = 120 };

typedef enum { CONNECTING, UPGRADING, GREETING, READY, GONE } Stage;

typedef struct {
    int socket;
    Stage stage;
    bool high;     /* Whether the higher of the two stakes is the next one. */
    char *rest;    /* The beginning of a frame whose end has not come. */
    size_t rest_bytes;
} Connection;

typedef struct {
    uint32_t *values;
    size_t count, room;
} Samples;

static struct {
    const char *host, *path, *origin, *cookies, *wager;
    int port, patrons, outstanding, burst, within_ms, before_close_ms;
    long low, high;
    double rate, seconds;
} given = {.host = "127.0.0.1", .path = "/", .origin = "http://127.0.0.1", .wager = "tie", .low = 100, .high = 200};

static Connection *connections;
static char **cookies;
static int epoll, timer;
static int started, connecting, ready, gone;
static bool betting_open, measuring;
static int64_t closes_at_ms;

static int64_t *due_at;  /* By number of the stake, in microseconds; 0 once it is answered. */
static size_t sent, stakes_room, answered, accepted, refused, answered_twice;
static int64_t first_due, last_answer;
static Samples acknowledgements, broadcasts, spreads;
static int64_t newest_version, newest_version_came;
static uint64_t bytes_in, frames_in, greeting_bytes, answer_bytes, event_bytes, events_in, answers_in;
static struct { char name[REASON_BYTES]; size_t count; } reasons[REASONS];
static char buffer[READ_BYTES + 1];

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static int64_t microseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void add(Samples *samples, int64_t value) {
    if (samples->count == samples->room) {
        samples->room = samples->room ? samples->room * 2 : 1 << 16;
        samples->values = realloc(samples->values, samples->room * sizeof *samples->values);
        if (!samples->values) fail("out of memory");
    }
    samples->values[samples->count++] = value < 0 ? 0 : (uint32_t)value;
}

static void count_reason(const char *name, size_t bytes) {
    if (bytes >= REASON_BYTES) bytes = REASON_BYTES - 1;
    for (int place = 0; place < REASONS; place++) {
        if (!reasons[place].count) memcpy(reasons[place].name, name, bytes);
        if (strlen(reasons[place].name) == bytes && !memcmp(reasons[place].name, name, bytes)) {
            reasons[place].count++;
            return;
        }
    }
}

/* Where the value of a field begins, or NULL. The messages are the server's own, so that the first of a name is it; what
   has no colon behind it is a value that is called the same, as in "type":"event". */
static const char *field(const char *text, size_t bytes, const char *quoted_name) {
    const char *end = text + bytes, *from = text;
    while (from < end) {
        const char *value = memmem(from, (size_t)(end - from), quoted_name, strlen(quoted_name));
        if (!value) return NULL;
        from = value += strlen(quoted_name);
        while (value < end && *value == ' ') value++;
        if (value == end || *value != ':') continue;
        do value++;
        while (value < end && *value == ' ');
        return value < end ? value : NULL;
    }
    return NULL;
}

static bool is_text(const char *value, const char *text) {
    return value && *value == '"' && !strncmp(value + 1, text, strlen(text)) && value[1 + strlen(text)] == '"';
}

static void lose(Connection *connection, const char *why) {
    if (connection->stage == GONE) return;
    if (connection->stage < GREETING) connecting--;
    if (connection->stage == READY) ready--;
    connection->stage = GONE;
    gone++;
    count_reason(why, strlen(why));
    close(connection->socket);
    free(connection->rest);
    connection->rest = NULL;
}

/* A frame with the mask of zero, which leaves the payload as it is. */
static void send_frame(Connection *connection, int kind, const char *payload, size_t bytes) {
    char frame[512];
    size_t head = 2;
    frame[0] = (char)(0x80 | kind);
    if (bytes < 126) {
        frame[1] = (char)(0x80 | bytes);
    } else {
        frame[1] = (char)(0x80 | 126);
        frame[2] = (char)(bytes >> 8);
        frame[3] = (char)bytes;
        head = 4;
    }
    memset(frame + head, 0, 4);
    memcpy(frame + head + 4, payload, bytes);
    size_t whole = head + 4 + bytes;
    if (send(connection->socket, frame, whole, MSG_NOSIGNAL) != (ssize_t)whole) lose(connection, "(cannot send)");
}

static void send_stake(Connection *connection, int64_t due) {
    char message[256];
    if (sent == stakes_room) {
        stakes_room = stakes_room ? stakes_room * 2 : 1 << 16;
        due_at = realloc(due_at, stakes_room * sizeof *due_at);
        if (!due_at) fail("out of memory");
    }
    long amount = connection->high ? given.high : given.low;
    connection->high = !connection->high;
    int bytes = snprintf(message, sizeof message, "{\"id\":\"load-%010zu\",\"do\":\"stake\",\"wager\":\"%s\",\"amount\":%ld}",
                         sent, given.wager, amount);
    if (!first_due) first_due = due;
    due_at[sent++] = due;
    send_frame(connection, 1, message, (size_t)bytes);
}

static void hear_answer(Connection *connection, const char *text, size_t bytes, bool was_accepted) {
    const char *id = field(text, bytes, "\"id\"");
    if (!id || strncmp(id, "\"load-", 6)) return;
    size_t number = strtoul(id + 6, NULL, 10);
    if (number >= sent) return;
    if (!due_at[number]) {
        answered_twice++;
        return;
    }
    last_answer = microseconds(CLOCK_MONOTONIC);
    add(&acknowledgements, last_answer - due_at[number]);
    due_at[number] = 0;
    answered++;
    answers_in++;
    answer_bytes += bytes;
    if (was_accepted) {
        accepted++;
    } else {
        refused++;
        const char *reason = field(text, bytes, "\"reason\"");
        if (reason) count_reason(reason + 1, strcspn(reason + 1, "\""));
    }
    if (given.outstanding && measuring && betting_open) send_stake(connection, last_answer);
}

static void hear_event(Connection *connection, const char *text, size_t bytes) {
    const char *name = field(text, bytes, "\"event\""), *closes_at = field(text, bytes, "\"closes_at\"");
    if (is_text(name, "betting-opened")) betting_open = true;
    if (is_text(name, "betting-closed")) betting_open = false;
    if (is_text(name, "betting-opened") && closes_at) closes_at_ms = strtoll(closes_at, NULL, 10);
    const char *time = field(text, bytes, "\"time\""), *version = field(text, bytes, "\"version\"");
    if (!measuring || connection->stage != READY || !time || !version) return;
    int64_t now = microseconds(CLOCK_REALTIME), number = strtoll(version, NULL, 10);
    add(&broadcasts, now - strtoll(time, NULL, 10) * 1000);
    if (number > newest_version) {
        newest_version = number;
        newest_version_came = now;
    } else if (number == newest_version) {
        add(&spreads, now - newest_version_came);
    }
    events_in++;
    event_bytes += bytes;
}

static void hear(Connection *connection, const char *text, size_t bytes) {
    const char *kind = field(text, bytes, "\"type\"");
    if (is_text(kind, "accepted") || is_text(kind, "refused")) {
        hear_answer(connection, text, bytes, is_text(kind, "accepted"));
    } else if (is_text(kind, "event")) {
        hear_event(connection, text, bytes);
    } else if (is_text(kind, "snapshot") && connection->stage == GREETING) {
        const char *closes_at = field(text, bytes, "\"closes_at\"");
        betting_open = is_text(field(text, bytes, "\"phase\""), "betting");
        if (closes_at && *closes_at != 'n') closes_at_ms = strtoll(closes_at, NULL, 10);
        greeting_bytes += bytes;
        connection->stage = READY;
        ready++;
    }
}

/* Takes the whole frames from what has come; returns how many bytes they were. */
static size_t take_frames(Connection *connection, const char *data, size_t bytes) {
    size_t place = 0;
    while (connection->stage != GONE && bytes - place >= 2) {
        const unsigned char *frame = (const unsigned char *)data + place;
        size_t head = 2, length = frame[1] & 0x7f;
        if (length == 126) head = 4;
        if (length == 127) head = 10;
        if (bytes - place < head) break;
        if (head > 2) {
            length = 0;
            for (size_t each = 2; each < head; each++) length = length << 8 | frame[each];
        }
        if (bytes - place < head + length) break;
        const char *payload = data + place + head;
        int kind = frame[0] & 0xf;
        frames_in++;
        if (kind == 1) hear(connection, payload, length);
        if (kind == 9 && length < 126) send_frame(connection, 10, payload, length);
        if (kind == 8) lose(connection, "(closed by the server)");
        place += head + length;
    }
    return place;
}

static void take_upgrade(Connection *connection, char *data, size_t bytes, size_t *place) {
    data[bytes] = 0;
    char *end = strstr(data, "\r\n\r\n");
    if (!end) return;
    if (strncmp(data, "HTTP/1.1 101", 12)) {
        char why[REASON_BYTES];
        snprintf(why, sizeof why, "(upgrade answered with %.3s)", data + 9);
        lose(connection, why);
        return;
    }
    *place = (size_t)(end + 4 - data);
    connection->stage = GREETING;
    connecting--;
}

static void read_from(Connection *connection) {
    size_t bytes = connection->rest_bytes, place = 0;
    if (bytes) memcpy(buffer, connection->rest, bytes);
    free(connection->rest);
    connection->rest = NULL;
    connection->rest_bytes = 0;
    ssize_t got = recv(connection->socket, buffer + bytes, READ_BYTES - bytes, 0);
    if (got < 0 && errno == EAGAIN) got = 0;
    else if (got <= 0) {
        lose(connection, "(connection lost)");
        return;
    }
    bytes_in += (uint64_t)got;
    bytes += (size_t)got;
    if (connection->stage == UPGRADING) take_upgrade(connection, buffer, bytes, &place);
    if (connection->stage >= GREETING) place += take_frames(connection, buffer + place, bytes - place);
    if (connection->stage == GONE || place == bytes) return;
    if (bytes == READ_BYTES) fail("a message of more than %d bytes", READ_BYTES);
    connection->rest_bytes = bytes - place;
    connection->rest = malloc(connection->rest_bytes);
    if (!connection->rest) fail("out of memory");
    memcpy(connection->rest, buffer + place, connection->rest_bytes);
}

static void start_connection(void) {
    Connection *connection = &connections[started];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)given.port)};
    if (inet_pton(AF_INET, given.host, &address.sin_addr) != 1) fail("%s is no address", given.host);
    int one = 1;
    connection->socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (connection->socket < 0) fail("no more sockets: %s", strerror(errno));
    setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct epoll_event wanted = {.events = EPOLLOUT | EPOLLIN, .data.u32 = (uint32_t)started};
    epoll_ctl(epoll, EPOLL_CTL_ADD, connection->socket, &wanted);
    started++;
    connecting++;
    if (connect(connection->socket, (struct sockaddr *)&address, sizeof address) && errno != EINPROGRESS)
        lose(connection, "(cannot connect)");
}

static void upgrade(Connection *connection) {
    char request[1024];
    size_t number = (size_t)(connection - connections);
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(connection->socket, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error) {
        lose(connection, "(cannot connect)");
        return;
    }
    int bytes = snprintf(request, sizeof request,
                         "GET %s HTTP/1.1\r\nHost: %s:%d\r\nOrigin: %s\r\nCookie: pb_session=%s\r\nUpgrade: websocket\r\n"
                         "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                         "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
                         given.path, given.host, given.port, given.origin, cookies[number]);
    struct epoll_event wanted = {.events = EPOLLIN, .data.u32 = (uint32_t)number};
    epoll_ctl(epoll, EPOLL_CTL_MOD, connection->socket, &wanted);
    connection->stage = UPGRADING;
    if (send(connection->socket, request, (size_t)bytes, MSG_NOSIGNAL) != bytes) lose(connection, "(cannot send)");
}

/* Waits for the network until the given time at the latest, and hears what comes. */
static void wait_until(int64_t time) {
    struct epoll_event events[1024];
    struct itimerspec alarm = {.it_value = {.tv_sec = time / 1000000, .tv_nsec = time % 1000000 * 1000 + 1}};
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &alarm, NULL);
    int count = epoll_wait(epoll, events, 1024, -1);
    for (int each = 0; each < count; each++) {
        if (events[each].data.u32 == UINT32_MAX) {
            uint64_t rings;
            if (read(timer, &rings, sizeof rings) < 0 && errno != EAGAIN) fail("the timer failed");
            continue;
        }
        Connection *connection = &connections[events[each].data.u32];
        if (connection->stage == CONNECTING) upgrade(connection);
        else if (connection->stage != GONE) read_from(connection);
    }
}

static Connection *next_connection(void) {
    static uint64_t turn;
    for (int tries = 0; tries < given.patrons; tries++) {
        /* A prime step goes round all of them in an order that is not that of their arrival. */
        Connection *connection = &connections[turn++ * 7919 % (uint64_t)given.patrons];
        if (connection->stage == READY) return connection;
    }
    fail("no connection is left");
    return NULL;
}

static void connect_all(void) {
    int64_t patience = microseconds(CLOCK_MONOTONIC) + 180 * 1000000LL;
    while (ready + gone < given.patrons) {
        while (started < given.patrons && connecting < CONNECTING_AT_ONCE) start_connection();
        wait_until(microseconds(CLOCK_MONOTONIC) + 100000);
        if (microseconds(CLOCK_MONOTONIC) > patience) break;
    }
}

/* So many stakes a second as long as betting is open; the clock of what is due stands still while it is not. */
static void at_a_rate(double rate, int64_t duration, size_t at_most) {
    int64_t step_base = microseconds(CLOCK_MONOTONIC), end = step_base + duration;
    size_t step = 0, total = 0;
    while (microseconds(CLOCK_MONOTONIC) < end && total < at_most) {
        int64_t due = step_base + (int64_t)((double)step * 1e6 / rate), now = microseconds(CLOCK_MONOTONIC);
        if (!betting_open && !given.burst) {
            wait_until(now + 5000);
            step_base = microseconds(CLOCK_MONOTONIC);
            step = 0;
        } else if (due <= now) {
            send_stake(next_connection(), due);
            step++;
            total++;
            /* What has come in is heard even where the sending falls behind. */
            if (step % 64 == 0) wait_until(0);
        } else {
            wait_until(due < end ? due : end);
        }
    }
}

static void one_after_the_other(int64_t duration) {
    int64_t end = microseconds(CLOCK_MONOTONIC) + duration;
    while (microseconds(CLOCK_MONOTONIC) < end) {
        /* At the start and after every close: as many as may be under way are sent again. */
        if (betting_open && answered == sent) {
            for (int each = 0; each < given.outstanding; each++)
                send_stake(next_connection(), microseconds(CLOCK_MONOTONIC));
        }
        wait_until(microseconds(CLOCK_MONOTONIC) + 20000);
    }
    measuring = false;
}

static void before_the_close(void) {
    int64_t patience = microseconds(CLOCK_MONOTONIC) + (int64_t)(given.seconds * 1e6);
    int64_t begin, now;
    do {
        wait_until(microseconds(CLOCK_MONOTONIC) + 1000);
        begin = (closes_at_ms - given.before_close_ms) * 1000;
        now = microseconds(CLOCK_REALTIME);
        if (microseconds(CLOCK_MONOTONIC) > patience) fail("betting did not open in time");
    } while (!betting_open || begin < now || begin > now + 2000);
    at_a_rate(given.burst * 1e3 / given.within_ms, 60 * 1000000LL, (size_t)given.burst);
}

static int by_size(const void *one, const void *other) {
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

static double at_share(const Samples *samples, double share) {
    if (!samples->count) return 0;
    size_t place = (size_t)((double)samples->count * share);
    return samples->values[place < samples->count ? place : samples->count - 1] / 1e3;
}

static void tell_samples(const char *name, Samples *samples) {
    qsort(samples->values, samples->count, sizeof *samples->values, by_size);
    printf("\"%s\":{\"count\":%zu,\"p50\":%.3f,\"p99\":%.3f,\"p999\":%.3f,\"most\":%.3f},", name, samples->count,
           at_share(samples, 0.5), at_share(samples, 0.99), at_share(samples, 0.999), at_share(samples, 1));
}

static double mean(uint64_t sum, uint64_t count) { return count ? (double)sum / (double)count : 0; }

static void tell(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    double seconds = (double)(last_answer - first_due) / 1e6;
    printf("{\"ready\":%d,\"gone\":%d,\"sent\":%zu,\"accepted\":%zu,\"refused\":%zu,\"unanswered\":%zu,"
           "\"answered_twice\":%zu,\"seconds\":%.3f,\"answers_per_second\":%.1f,",
           ready, gone, sent, accepted, refused, sent - answered, answered_twice, seconds,
           seconds > 0 ? (double)answered / seconds : 0);
    tell_samples("acknowledged_ms", &acknowledgements);
    tell_samples("broadcast_ms", &broadcasts);
    tell_samples("spread_ms", &spreads);
    printf("\"bytes\":{\"greeting\":%.0f,\"answer\":%.0f,\"event\":%.0f},\"frames_in\":%llu,\"bytes_in\":%llu,",
           mean(greeting_bytes, (uint64_t)(ready ? ready : 1)), mean(answer_bytes, answers_in),
           mean(event_bytes, events_in), (unsigned long long)frames_in, (unsigned long long)bytes_in);
    printf("\"processor_seconds\":%.2f,\"reasons\":{", (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6);
    for (int place = 0; place < REASONS && reasons[place].count; place++)
        printf("%s\"%s\":%zu", place ? "," : "", reasons[place].name, reasons[place].count);
    printf("}}\n");
}

static void read_arguments(int count, char **values) {
    for (int each = 1; each + 1 < count; each += 2) {
        const char *name = values[each], *value = values[each + 1];
        if (!strcmp(name, "--host")) given.host = value;
        else if (!strcmp(name, "--port")) given.port = atoi(value);
        else if (!strcmp(name, "--path")) given.path = value;
        else if (!strcmp(name, "--origin")) given.origin = value;
        else if (!strcmp(name, "--cookies")) given.cookies = value;
        else if (!strcmp(name, "--patrons")) given.patrons = atoi(value);
        else if (!strcmp(name, "--wager")) given.wager = value;
        else if (!strcmp(name, "--low")) given.low = atol(value);
        else if (!strcmp(name, "--high")) given.high = atol(value);
        else if (!strcmp(name, "--seconds")) given.seconds = atof(value);
        else if (!strcmp(name, "--rate")) given.rate = atof(value);
        else if (!strcmp(name, "--outstanding")) given.outstanding = atoi(value);
        else if (!strcmp(name, "--burst")) given.burst = atoi(value);
        else if (!strcmp(name, "--within-ms")) given.within_ms = atoi(value);
        else if (!strcmp(name, "--before-close-ms")) given.before_close_ms = atoi(value);
        else fail("there is no %s", name);
    }
    if (!given.cookies || !given.port || given.patrons < 1) fail("--cookies, --port and --patrons are needed");
    if (strncmp(given.host, "127.", 4)) fail("only this machine is loaded, not %s", given.host);
    if (given.outstanding > given.patrons) given.outstanding = given.patrons;
}

static void read_cookies(void) {
    FILE *file = fopen(given.cookies, "r");
    char line[512];
    if (!file) fail("%s cannot be read", given.cookies);
    for (int each = 0; each < given.patrons; each++) {
        if (!fgets(line, sizeof line, file)) fail("%s has fewer than %d lines", given.cookies, given.patrons);
        line[strcspn(line, "\n")] = 0;
        cookies[each] = strdup(line);
    }
    fclose(file);
}

int main(int count, char **values) {
    read_arguments(count, values);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    connections = calloc((size_t)given.patrons, sizeof *connections);
    cookies = calloc((size_t)given.patrons, sizeof *cookies);
    if (!connections || !cookies) fail("out of memory");
    read_cookies();
    epoll = epoll_create1(0);
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct epoll_event wanted = {.events = EPOLLIN, .data.u32 = UINT32_MAX};
    epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &wanted);

    connect_all();
    fprintf(stderr, "%d of %d connected\n", ready, given.patrons);
    /* What everybody's arrival has caused is over before anything is measured. */
    int64_t calm = microseconds(CLOCK_MONOTONIC) + 1000000;
    while (microseconds(CLOCK_MONOTONIC) < calm) wait_until(calm);
    int64_t opening = calm + OPENING_SECONDS * 1000000LL;
    while (!betting_open && microseconds(CLOCK_MONOTONIC) < opening) wait_until(microseconds(CLOCK_MONOTONIC) + 20000);
    if (!betting_open) fail("betting did not open in %d s", OPENING_SECONDS);

    measuring = true;
    int64_t duration = (int64_t)(given.seconds * 1e6);
    if (given.burst) before_the_close();
    else if (given.outstanding) one_after_the_other(duration);
    else at_a_rate(given.rate, duration, SIZE_MAX);
    int64_t patience = microseconds(CLOCK_MONOTONIC) + GRACE_SECONDS * 1000000LL;
    while (answered < sent && microseconds(CLOCK_MONOTONIC) < patience)
        wait_until(microseconds(CLOCK_MONOTONIC) + 20000);
    tell();
    return 0;
}
