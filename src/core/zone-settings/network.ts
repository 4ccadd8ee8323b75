import { choice, setting, toggle, type Setting } from "./setting.ts";
import { integer, integerAsText, object, text, trueOrFalse } from "./value-forms.ts";

const enterprise = { editableFrom: "enterprise" } as const;

/** Protocols, addresses and limits, for visitors and origins. */
export const networkSettings: Readonly<Record<string, Setting>> = {
  "0rtt": toggle("Resumes TLS sessions without waiting.", "off"),
  aegis: setting(
    "Reaches the origin from addresses of its own.",
    object({ enabled: trueOrFalse, pool_id: text(64) }),
    { enabled: false, pool_id: "" },
    enterprise,
  ),
  china_network_enabled: toggle("Serves visitors in China from there.", "off", enterprise),
  cname_flattening: choice(
    "Answers a CNAME with the addresses of its target, at the apex or everywhere.",
    ["flatten_at_root", "flatten_all"],
    "flatten_at_root",
    { valuesFrom: { flatten_all: "pro" } },
  ),
  filter_logs_to_cloudflare: toggle("Keeps personal data out of the logs.", "off", enterprise),
  http2: toggle("Speaks HTTP/2.", "on", { editableFrom: "pro" }),
  http3: toggle("Speaks HTTP/3.", "off"),
  ip_geolocation: toggle("Tells the origin the country of the visitor.", "on"),
  ipv6: toggle("Answers AAAA for proxied names.", "off"),
  log_to_cloudflare: toggle("Keeps logs of the requests.", "on", enterprise),
  long_lived_grpc: toggle("Keeps connections of gRPC open for long.", "off", enterprise),
  max_upload: choice("Megabytes of the largest body of a request.", [100, 200, 500], 100, {
    initialOn: { business: 200, enterprise: 500 },
    valuesFrom: { 200: "business", 500: "enterprise" },
  }),
  nel: setting("Asks browsers to report errors of the network.", object({ enabled: trueOrFalse }), {
    enabled: false,
  }),
  opportunistic_onion: toggle("Offers visitors from Tor an onion service.", "off"),
  orange_to_orange: toggle("Lets a CNAME lead to another zone behind the same proxy.", "on", enterprise),
  origin_error_page_pass_thru: toggle("Shows the origin's own pages for 502 and 504.", "off", enterprise),
  origin_h2_max_streams: setting(
    "Requests at a time on one connection to the origin.",
    integer(1, 1_000),
    100,
    {
      initialOn: { enterprise: 1 },
    },
  ),
  origin_max_http_version: choice("Highest version of HTTP towards the origin.", ["1", "2"], "2", {
    initialOn: { enterprise: "1" },
  }),
  proxy_read_timeout: setting(
    "Seconds between two reads from the origin.",
    integerAsText(1, 6_000),
    "100",
    enterprise,
  ),
  pseudo_ipv4: choice(
    "Gives visitors with IPv6 an IPv4 address in the headers.",
    ["off", "add_header", "overwrite_header"],
    "off",
  ),
  true_client_ip_header: toggle("Sends the address of the visitor as `True-Client-IP`.", "off", enterprise),
  visitor_ip: toggle("Tells the origin the address of the visitor.", "on", enterprise),
  websockets: toggle("Lets WebSockets through.", "on"),
};
