import { choice, setting, toggle, type Setting, initialValue } from "./setting.ts";
import {
  listOf,
  oneOf,
  trueOrFalse,
  integer,
  object,
  hostname,
  integerAsText,
  text,
  emptyOr,
  onOrOff,
} from "./valid-values.ts";
import type { Plan } from "../expression/phases.ts";

/** Suites up to TLS 1.2, by their names in BoringSSL. */
const cipherSuites = [
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-AES128-SHA256",
  "ECDHE-ECDSA-AES128-SHA",
  "ECDHE-ECDSA-AES256-SHA384",
  "ECDHE-ECDSA-AES256-SHA",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-RSA-CHACHA20-POLY1305",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES128-SHA256",
  "ECDHE-RSA-AES128-SHA",
  "ECDHE-RSA-AES256-SHA384",
  "ECDHE-RSA-AES256-SHA",
  "AES128-GCM-SHA256",
  "AES128-SHA256",
  "AES128-SHA",
  "AES256-GCM-SHA384",
  "AES256-SHA256",
  "AES256-SHA",
  "DES-CBC3-SHA",
] as const;

const tlsSettings: Readonly<Record<string, Setting>> = {
  always_use_https: toggle("Redirects every request to HTTPS.", "off"),
  automatic_https_rewrites: toggle("Turns links of pages into HTTPS where that works.", "on"),
  ciphers: setting(
    "Cipher suites for visitors, by their names in BoringSSL; an empty list stands for the default ones.",
    listOf(oneOf(...cipherSuites), cipherSuites.length),
    [],
  ),
  min_tls_version: choice("Least version of TLS.", ["1.0", "1.1", "1.2", "1.3"], "1.0"),
  opportunistic_encryption: toggle("Offers TLS to visitors that came by HTTP.", "on"),
  sha1_support: toggle("Takes signatures with SHA-1.", "off"),
  ssl: choice(
    "Encryption to the origin; `strict`: with a certificate that is checked.",
    ["off", "flexible", "full", "strict"],
    "full",
  ),
  ssl_automatic_mode: choice("Whether `ssl` follows what the origin can do.", ["auto", "custom"], "custom"),
  ssl_recommender: setting("Sends advice on the value of `ssl`.", trueOrFalse, false, { key: "enabled" }),
  tls_1_2_only: toggle("Refuses TLS below 1.2.", "off"),
  tls_1_3: choice("Speaks TLS 1.3; `zrt`: with 0-RTT.", ["on", "off", "zrt"], "on"),
  tls_client_auth: toggle("Shows the origin a certificate of the proxy.", "on", {
    editableFrom: "enterprise",
  }),
};

const challengeSeconds = [
  300, 900, 1_800, 2_700, 3_600, 7_200, 10_800, 14_400, 28_800, 57_600, 86_400, 604_800, 2_592_000, 31_536_000,
]; // prettier-ignore

const securitySettings: Readonly<Record<string, Setting>> = {
  advanced_ddos: toggle("Protects from denial of service; a part of the plan.", "off", {
    initialOn: { business: "on", enterprise: "on" },
    editableFrom: "no plan",
  }),
  browser_check: toggle("Turns away visitors whose headers are those of bots.", "on"),
  challenge_ttl: choice("Seconds for which a passed challenge counts.", challengeSeconds, 1_800),
  email_obfuscation: toggle("Hides e-mail addresses on pages from bots.", "on"),
  hotlink_protection: toggle("Keeps other sites from showing the zone's images.", "off"),
  privacy_pass: toggle("Takes tokens of Privacy Pass instead of a challenge.", "on"),
  replace_insecure_js: toggle("Replaces JavaScript libraries that are known to be unsafe.", "off"),
  security_header: setting(
    "Sends `Strict-Transport-Security`; `max_age` in seconds.",
    object({
      strict_transport_security: object({
        enabled: trueOrFalse,
        max_age: integer(0, 2_147_483_647),
        include_subdomains: trueOrFalse,
        preload: trueOrFalse,
        nosniff: trueOrFalse,
      }),
    }),
    {
      strict_transport_security: {
        enabled: false,
        max_age: 0,
        include_subdomains: false,
        preload: false,
        nosniff: false,
      },
    },
  ),
  security_level: choice(
    "How little it takes to be challenged.",
    ["off", "essentially_off", "low", "medium", "high", "under_attack"],
    "medium",
    { valuesFrom: { off: "enterprise" } },
  ),
  server_side_exclude: toggle("Hides marked parts of pages from suspicious visitors.", "on"),
  waf: toggle("Applies the previous version of the WAF managed rules.", "off", { editableFrom: "pro" }),
};

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const browserCacheSeconds = [
  0, 30, minute, 2 * minute, 5 * minute, 20 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 4 * hour, 5 * hour,
  8 * hour, 12 * hour, 16 * hour, 20 * hour, day, 2 * day, 3 * day, 4 * day, 5 * day, 8 * day, 16 * day, 24 * day,
  31 * day, 62 * day, 186 * day, 365 * day,
]; // prettier-ignore

const edgeCacheSeconds = [
  30, minute, 5 * minute, 20 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 4 * hour, 5 * hour, 8 * hour,
  12 * hour, 16 * hour, 20 * hour, day, 2 * day, 3 * day, 4 * day, 5 * day, 6 * day, 7 * day,
]; // prettier-ignore

const cachingSettings: Readonly<Record<string, Setting>> = {
  always_online: toggle("Shows an archived copy of a page while the origin is away.", "on"),
  automatic_platform_optimization: setting(
    "Serves the pages of a WordPress site from the cache.",
    object({
      enabled: trueOrFalse,
      cf: trueOrFalse,
      wordpress: trueOrFalse,
      wp_plugin: trueOrFalse,
      hostnames: listOf(hostname, 100),
      cache_by_device_type: trueOrFalse,
    }),
    {
      enabled: false,
      cf: false,
      wordpress: false,
      wp_plugin: false,
      hostnames: [],
      cache_by_device_type: false,
    },
    { editableFrom: "pro" },
  ),
  browser_cache_ttl: choice(
    "Seconds for which a browser keeps what it got; 0 leaves it to the origin.",
    browserCacheSeconds,
    4 * hour,
  ),
  cache_level: choice(
    "What is cached: static files without a query string, with it ignored, or with every query string.",
    ["aggressive", "basic", "simplified"],
    "aggressive",
  ),
  development_mode: toggle("Goes past the cache for three hours, then ends by itself.", "off"),
  edge_cache_ttl: choice("Seconds for which the edge keeps what it got.", edgeCacheSeconds, 2 * hour, {
    valuesFrom: {
      30: "enterprise",
      [minute]: "enterprise",
      [5 * minute]: "enterprise",
      [20 * minute]: "enterprise",
      [30 * minute]: "business",
      [hour]: "pro",
    },
  }),
  prefetch_preload: toggle("Fetches what the headers of an answer name ahead of time.", "off", {
    editableFrom: "enterprise",
  }),
  response_buffering: toggle("Holds an answer back until all of it has come.", "off", {
    editableFrom: "enterprise",
  }),
  sort_query_string_for_cache: toggle(
    "Takes addresses whose query differs in its order only for the same.",
    "off",
    { editableFrom: "enterprise" },
  ),
};

const enterprise = { editableFrom: "enterprise" } as const;

/** Protocols, addresses and limits, for visitors and origins. */
const networkSettings: Readonly<Record<string, Setting>> = {
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

const openProxy = ["on", "off", "open"] as const;

/** Smaller and faster pages and images. */
const optimizationSettings: Readonly<Record<string, Setting>> = {
  binary_ast: toggle("Sends JavaScript parsed already.", "off"),
  brotli: toggle("Compresses with Brotli where the visitor takes it.", "off"),
  early_hints: toggle("Answers 103 with the links of the page before the page itself.", "off"),
  fonts: toggle("Serves the fonts of Google from the zone's own domain.", "off"),
  h2_prioritization: choice(
    "Orders what one connection of HTTP/2 delivers.",
    ["on", "off", "custom"],
    "off",
    {
      editableFrom: "pro",
    },
  ),
  image_resizing: choice("Resizes images on the way; `open`: those of any domain.", openProxy, "off", {
    editableFrom: "pro",
  }),
  minify: setting(
    "Removes what a file does not need, by kind of file.",
    object({ css: onOrOff, html: onOrOff, js: onOrOff }),
    { css: "off", html: "off", js: "off" },
  ),
  mirage: toggle("Loads images as slow connections can take them.", "off", { editableFrom: "pro" }),
  mobile_redirect: setting(
    "Sends visitors with a phone to a subdomain.",
    object({ status: onOrOff, mobile_subdomain: emptyOr(hostname), strip_uri: trueOrFalse }),
    { status: "off", mobile_subdomain: null, strip_uri: false },
  ),
  polish: choice("Makes images smaller.", ["off", "lossless", "lossy"], "off", { editableFrom: "pro" }),
  rocket_loader: toggle("Loads JavaScript after the page.", "off"),
  speed_brain: toggle("Prefetches the pages that a visitor is likely to open.", "off"),
  transformations: choice("Transforms images and video; `open`: those of any domain.", openProxy, "off"),
  transformations_allowed_origins: setting(
    "Comma list of the domains whose images and video are transformed.",
    text(4096),
    "",
  ),
  webp: toggle("Answers images as WebP where that is smaller.", "off", { editableFrom: "pro" }),
};

/** Settings about search engines and agents. */
const crawlerSettings: Readonly<Record<string, Setting>> = {
  content_converter: toggle("Answers HTML as Markdown to those who ask for it.", "off"),
  pre_render: toggle("Answers crawlers with pages rendered already.", "off"),
  redirects_for_ai_training: toggle("Redirects crawlers that train models to canonical addresses.", "off"),
  search_for_agents: toggle("Offers agents a search of the zone.", "off"),
  webmcp_enabled: toggle("Offers agents in a browser the tools of WebMCP.", "off"),
  webmcp_packs: setting(
    "Comma list of the tool packs of WebMCP; empty stands for the default ones.",
    text(4096),
    "",
  ),
};

/** The setting that ends by itself: its value depends on the time. */
export const developmentMode = "development_mode";

/** The settings of a zone by topic. */
export const settingGroups: Readonly<Record<string, Readonly<Record<string, Setting>>>> = {
  Encryption: tlsSettings,
  Security: securitySettings,
  Caching: cachingSettings,
  Network: networkSettings,
  Optimization: optimizationSettings,
  Crawlers: crawlerSettings,
};

export const catalogue: ReadonlyMap<string, Setting> = new Map(
  Object.values(settingGroups)
    .flatMap((group) => Object.entries(group))
    .toSorted(([one], [other]) => (one < other ? -1 : 1)),
);

/** Finds the value of a setting that does not change by itself: as it was changed, or as it is at first. */
export function settingValues(
  changed: Readonly<Record<string, unknown>>,
  plan: Plan,
): (id: string) => unknown {
  return (id) => {
    const known = catalogue.get(id);
    if (known === undefined) throw new Error(`there is no setting ${id}`);
    return Object.hasOwn(changed, id) ? changed[id] : initialValue(known, plan);
  };
}
