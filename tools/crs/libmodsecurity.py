"""Judges requests with Debian's libmodsecurity3: `libmodsecurity.py CONFIGURATION`.

Reads requests as JSON lines of texts in which each character is an octet, and prints the ids of the rules that each of them
matched, of those that are logged, as a JSON line.
"""

import ctypes
import json
import re
import sys

library = ctypes.CDLL("libmodsecurity.so.3")
pointer, text, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t


def function(name, result, *arguments):
    found = getattr(library, name)
    found.restype, found.argtypes = result, arguments
    return found


log_type = ctypes.CFUNCTYPE(None, pointer, text)
init = function("msc_init", pointer)
set_log = function("msc_set_log_cb", None, pointer, log_type)
create_rules = function("msc_create_rules_set", pointer)
add_file = function("msc_rules_add_file", ctypes.c_int, pointer, text, ctypes.POINTER(text))
new_transaction = function("msc_new_transaction", pointer, pointer, pointer, pointer)
connect = function("msc_process_connection", ctypes.c_int, pointer, text, ctypes.c_int, text, ctypes.c_int)
set_target = function("msc_process_uri", ctypes.c_int, pointer, text, text, text)
add_header = function("msc_add_n_request_header", ctypes.c_int, pointer, text, size, text, size)
judge_headers = function("msc_process_request_headers", ctypes.c_int, pointer)
add_body = function("msc_append_request_body", ctypes.c_int, pointer, text, size)
judge_body = function("msc_process_request_body", ctypes.c_int, pointer)
clean_up = function("msc_transaction_cleanup", None, pointer)

matched = []


@log_type
def log(_, message):
    matched.extend(int(number) for number in re.findall(rb'\[id "(\d+)"\]', message or b""))


engine = init()
set_log(engine, log)
rules = create_rules()
error = text()
if add_file(rules, sys.argv[1].encode(), ctypes.byref(error)) < 0:
    sys.exit(error.value.decode())

for line in sys.stdin:
    request = json.loads(line)
    octets = lambda name: request[name].encode("latin1")
    matched.clear()
    transaction = new_transaction(engine, rules, None)
    connect(transaction, octets("remoteAddress"), 40000, b"192.0.2.2", 80)
    set_target(transaction, octets("target"), octets("method"), octets("protocol").removeprefix(b"HTTP/"))
    for header in request["headers"]:
        name, value = header["name"].encode("latin1"), header["value"].encode("latin1")
        add_header(transaction, name, len(name), value, len(value))
    judge_headers(transaction)
    body = octets("body")
    if body:
        add_body(transaction, body, len(body))
    judge_body(transaction)
    clean_up(transaction)
    print(json.dumps(sorted(set(matched))), flush=True)
