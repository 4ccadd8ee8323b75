/* Judges requests with Debian's libmodsecurity3: `libmodsecurity RULES REQUESTS ROUNDS COUNT`. There are no headers needed:
   what is called is declared here (ModSecurity 3.0, its C interface). Prints CPU microseconds a request, a line for each
   round and request: `INDEX MICROSECONDS`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

extern void *msc_init(void);
extern void *msc_create_rules_set(void);
extern int msc_rules_add_file(void *rules, const char *file, const char **error);
extern void *msc_new_transaction(void *modsecurity, void *rules, void *log_data);
extern int msc_process_connection(void *t, const char *client, int client_port, const char *server, int server_port);
extern int msc_process_uri(void *t, const char *uri, const char *method, const char *version);
extern int msc_add_n_request_header(void *t, const unsigned char *key, size_t key_length, const unsigned char *value,
                                    size_t value_length);
extern int msc_process_request_headers(void *t);
extern int msc_append_request_body(void *t, const unsigned char *body, size_t length);
extern int msc_process_request_body(void *t);
extern void msc_transaction_cleanup(void *t);
extern void msc_set_log_cb(void *modsecurity, void (*log)(void *, const void *));

#define REQUESTS_MAX 64
#define FIELDS_MAX 64

/* Method, target, headers in pairs, body: each field is a length in text, a space, the octets and a line end. */
struct request {
  int fields;
  char *text[FIELDS_MAX];
  size_t length[FIELDS_MAX];
};

static void ignore(void *data, const void *message) {
  (void)data;
  (void)message;
}

static double cpu_microseconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static int read_requests(const char *path, struct request *requests) {
  FILE *file = fopen(path, "rb");
  int count = 0;
  int fields;
  if (file == NULL) return 0;
  while (count < REQUESTS_MAX && fscanf(file, "%d\n", &fields) == 1 && fields <= FIELDS_MAX) {
    struct request *request = &requests[count++];
    request->fields = fields;
    for (int i = 0; i < fields; i++) {
      if (fscanf(file, "%zu", &request->length[i]) != 1 || fgetc(file) != ' ') return 0;
      request->text[i] = calloc(1, request->length[i] + 1);
      if (fread(request->text[i], 1, request->length[i], file) != request->length[i] || fgetc(file) != '\n') return 0;
    }
  }
  fclose(file);
  return count;
}

static void judge(void *modsecurity, void *rules, const struct request *request) {
  void *t = msc_new_transaction(modsecurity, rules, NULL);
  int last = request->fields - 1;
  msc_process_connection(t, "192.0.2.1", 40000, "192.0.2.2", 80);
  msc_process_uri(t, request->text[1], request->text[0], "1.1");
  for (int i = 2; i + 1 <= last; i += 2) {
    msc_add_n_request_header(t, (unsigned char *)request->text[i], request->length[i], (unsigned char *)request->text[i + 1],
                             request->length[i + 1]);
  }
  msc_process_request_headers(t);
  if (request->length[last] > 0) msc_append_request_body(t, (unsigned char *)request->text[last], request->length[last]);
  msc_process_request_body(t);
  msc_transaction_cleanup(t);
}

int main(int argc, char **argv) {
  static struct request requests[REQUESTS_MAX];
  const char *error = NULL;
  if (argc != 5) return 2;
  void *modsecurity = msc_init();
  msc_set_log_cb(modsecurity, ignore);
  void *rules = msc_create_rules_set();
  if (msc_rules_add_file(rules, argv[1], &error) < 0) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  int count = read_requests(argv[2], requests);
  int rounds = atoi(argv[3]);
  int times = atoi(argv[4]);
  for (int round = -1; round < rounds; round++) {
    for (int i = 0; i < count; i++) {
      double before = cpu_microseconds();
      for (int n = 0; n < times; n++) judge(modsecurity, rules, &requests[i]);
      if (round >= 0) printf("%d %.2f\n", i, (cpu_microseconds() - before) / times);
    }
  }
  return 0;
}
