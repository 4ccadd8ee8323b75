import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { startEdgeApp, startOrigin, type VisitOptions } from "../../../test/support/edge-app.ts";
import { newDirectory, until } from "../../../test/support/harness.ts";

type Visit = readonly [path: string, options?: VisitOptions];
/** The expression of a rule that the public documentation shows, a visit that meets it, and one that does not. */
type Recipe = readonly [expression: string, meets: Visit, misses: Visit];

const from = (address: string, headers: Record<string, string> = {}): VisitOptions => ({
  headers: { ...headers, "x-forwarded-for": address },
});
const having = (headers: Record<string, string>): VisitOptions => ({ headers });
const form = having({ "content-type": "application/x-www-form-urlencoded" });

const customRules: readonly Recipe[] = [
  ['http.request.uri.path eq "/xmlrpc.php"', ["/xmlrpc.php"], ["/index.php"]],
  [
    'starts_with(http.request.uri.path, "/wp-admin") and not ip.src in {192.0.2.0/24}',
    ["/wp-admin/", from("203.0.113.1")],
    ["/wp-admin/", from("192.0.2.9")],
  ],
  [
    'http.host eq "www.example.com" and not cf.edge.server_port in {80 443}',
    ["/"],
    ["/", { host: "other.example.com" }],
  ],
  ["cf.edge.server_port in {80 443}", ["/", { host: "never" }], ["/"]],
  ['not cf.worker.upstream_zone in {"" "example.com"}', ["/", { host: "never" }], ["/"]],
  [
    'any(http.request.headers["x-api-key"][*] eq "secret")',
    ["/", having({ "x-api-key": "secret" })],
    ["/", having({ "x-api-key": "other" })],
  ],
  ['not any(http.request.headers.names[*] eq "x-required")', ["/"], ["/", having({ "x-required": "a" })]],
  [
    'http.user_agent contains "BadBot"',
    ["/", having({ "user-agent": "BadBot/1" })],
    ["/", having({ "user-agent": "GoodBot/1" })],
  ],
  [
    'lower(http.user_agent) contains "curl"',
    ["/", having({ "user-agent": "CURL/8" })],
    ["/", having({ "user-agent": "wget" })],
  ],
  ['http.request.method in {"PUT" "DELETE"}', ["/", { method: "PUT" }], ["/"]],
  [
    'http.request.method eq "POST" and http.request.uri.path eq "/login"',
    ["/login", { method: "POST" }],
    ["/login"],
  ],
  [
    'http.referer ne "" and not http.referer contains "example.com"',
    ["/a.png", having({ referer: "https://example.net/" })],
    ["/a.png", having({ referer: "https://www.example.com/" })],
  ],
  ['http.request.uri.path matches "^/api/v[0-9]+/"', ["/api/v2/users"], ["/api/users"]],
  ['http.request.uri.path wildcard "/files/*.PDF"', ["/files/a/b.pdf"], ["/files/a.txt"]],
  ['http.request.uri.path.extension in {"php" "asp"}', ["/a/b.PHP"], ["/a.php/b"]],
  ['http.request.uri.query contains "union"', ["/?q=union"], ["/union"]],
  ['any(http.request.uri.args["debug"][*] eq "1")', ["/?a=2&debug=1"], ["/?debug=2"]],
  ['any(http.request.uri.args.names[*] contains "cmd")', ["/?cmd_x=1"], ["/?x=cmd"]],
  ["len(http.request.uri.query) gt 20", ["/?aaaaaaaaaaaaaaaaaaaaaaa"], ["/?a"]],
  [
    'http.cookie contains "session="',
    ["/", having({ cookie: "a=1; session=x" })],
    ["/", having({ cookie: "a=1" })],
  ],
  [
    'any(http.request.cookies["role"][*] eq "admin")',
    ["/", having({ cookie: "role=admin" })],
    ["/", having({ cookie: "role=user" })],
  ],
  ["ip.src in {203.0.113.0/24 2001:db8::/32}", ["/", from("2001:db8::7")], ["/", from("198.51.100.1")]],
  ['ip.src.country in {"XX" "T1"}', ["/"], ["/", { host: "other.example.com" }]],
  ["not ssl", ["/"], ["/", { isSecure: true }]],
  ["ssl", ["/", { isSecure: true }], ["/"]],
  ['http.request.version eq "HTTP/1.1"', ["/"], ["/", { host: "other.example.com" }]],
  [
    'any(http.request.body.form["user"][*] eq "root")',
    ["/", { ...form, method: "POST", body: "user=root" }],
    ["/", { ...form, method: "POST", body: "user=me" }],
  ],
  [
    "http.request.body.size gt 10",
    ["/", { method: "POST", body: "aaaaaaaaaaaaaaa" }],
    ["/", { method: "POST", body: "a" }],
  ],
  [
    'lookup_json_string(http.request.body.raw, "kind") eq "bad"',
    ["/", { method: "POST", body: '{"kind":"bad"}' }],
    ["/", { method: "POST", body: '{"kind":"good"}' }],
  ],
  ["cf.waf.score lt 20", ["/", { host: "never" }], ["/"]],
  ["cf.threat_score gt 10", ["/", { host: "never" }], ["/"]],
  ["cf.bot_management.score gt 2 and cf.bot_management.score lt 30", ["/", { host: "never" }], ["/"]],
  ["not cf.client.bot and not cf.bot_management.verified_bot", ["/"], ["/", { host: "other.example.com" }]],
  [
    'not cf.tls_client_auth.cert_verified and starts_with(http.request.uri.path, "/mtls")',
    ["/mtls/a"],
    ["/a"],
  ],
  ["cf.waf.credential_check.password_leaked", ["/", { host: "never" }], ["/"]],
  ['cf.tls_version in {"TLSv1.2" "TLSv1.3"}', ["/", { isSecure: true }], ["/"]],
  ['url_decode(http.request.uri.query) contains "<script"', ["/?q=%3Cscript%3E"], ["/?q=script"]],
  ['ends_with(http.request.uri.path, ".env")', ["/a/.env"], ["/a/.env.txt"]],
  [
    'http.request.uri.path in {"/a" "/b"} xor http.request.method eq "POST"',
    ["/a"],
    ["/a", { method: "POST" }],
  ],
  ["cidr(ip.src, 24, 48) eq 192.0.2.0", ["/", from("192.0.2.200")], ["/", from("192.0.3.1")]],
  ['http.request.full_uri eq "http://www.example.com/exact"', ["/exact"], ["/exact", { isSecure: true }]],
  ['http.request.uri eq "/p?x=1"', ["/p?x=1"], ["/p?x=2"]],
  ['raw.http.request.uri.path contains "//"', ["/a//b"], ["/a/b"]],
  [
    'any(lower(http.request.headers["x-kind"][*])[*] eq "odd")',
    ["/", having({ "x-kind": "ODD" })],
    ["/", having({ "x-kind": "even" })],
  ],
  ['http.x_forwarded_for contains ","', ["/", from("192.0.2.1, 192.0.2.2")], ["/", from("192.0.2.1")]],
  [
    'http.request.accepted_languages[0] eq "de"',
    ["/", having({ "accept-language": "en;q=0.5, de" })],
    ["/", having({ "accept-language": "en, de;q=0.5" })],
  ],
  ['remove_bytes(http.request.uri.path, ".") eq "/ab"', ["/a.b"], ["/a-b"]],
];

const redirects: readonly Recipe[] = [
  ['http.request.uri.path eq "/old"', ["/old"], ["/older"]],
  ['http.host eq "www.example.com" and not ssl', ["/"], ["/", { isSecure: true }]],
  ['starts_with(http.request.uri.path, "/blog/")', ["/blog/a"], ["/blog"]],
  [
    'any(http.request.headers["accept-language"][*] contains "fr")',
    ["/", having({ "accept-language": "fr-CH" })],
    ["/", having({ "accept-language": "de" })],
  ],
  [
    'http.user_agent contains "Mobile"',
    ["/", having({ "user-agent": "a Mobile" })],
    ["/", having({ "user-agent": "a desktop" })],
  ],
];
const rewrites: readonly Recipe[] = [
  ['http.request.uri.path eq "/index"', ["/index"], ["/"]],
  ['http.request.uri.query contains "utm_"', ["/?utm_source=a"], ["/?source=a"]],
  ['http.request.uri.path.extension eq "jpeg"', ["/a.jpeg"], ["/a.jpg"]],
  ['not http.cookie contains "seen"', ["/"], ["/", having({ cookie: "seen=1" })]],
  ['starts_with(http.request.uri.path, "/v1/")', ["/v1/a"], ["/v2/a"]],
];
const headerRules: readonly Recipe[] = [
  ['len(http.request.headers["x-forwarded-for"]) eq 1', ["/", from("192.0.2.1")], ["/"]],
  ["ssl", ["/", { isSecure: true }], ["/"]],
  ['http.request.uri.path contains "/api/"', ["/api/a"], ["/a"]],
];
const originRules: readonly Recipe[] = [
  ['http.request.uri.path wildcard "/images/*"', ["/images/a"], ["/a"]],
  ['http.request.method eq "POST"', ["/", { method: "POST" }], ["/"]],
  ['any(http.request.headers["x-canary"][*] eq "1")', ["/", having({ "x-canary": "1" })], ["/"]],
];
const limits: readonly Recipe[] = [
  [
    'http.request.uri.path eq "/login" and http.request.method eq "POST"',
    ["/login", { method: "POST" }],
    ["/login"],
  ],
  ['starts_with(http.request.uri.path, "/api")', ["/api/a"], ["/a"]],
  ['http.user_agent eq ""', ["/", having({ "user-agent": "" })], ["/", having({ "user-agent": "a" })]],
];
const cacheRules: readonly Recipe[] = [
  ['http.request.uri.path.extension in {"css" "js"}', ["/a.css"], ["/a.html"]],
  ['starts_with(http.request.uri.path, "/static/")', ["/static/a"], ["/a"]],
  ['http.cookie contains "wordpress_logged_in"', ["/", having({ cookie: "wordpress_logged_in=1" })], ["/"]],
];

/** The recipes of a phase with the rest of a rule. */
const phases: readonly (readonly [phase: string, recipes: readonly Recipe[], rest: object])[] = [
  ["http_request_firewall_custom", customRules, { action: "log" }],
  [
    "http_request_dynamic_redirect",
    redirects,
    {
      action: "redirect",
      action_parameters: {
        from_value: {
          status_code: 302,
          target_url: { expression: 'concat("https://example.net", http.request.uri.path)' },
        },
      },
    },
  ],
  [
    "http_request_transform",
    rewrites,
    {
      action: "rewrite",
      action_parameters: { uri: { path: { expression: 'concat("/new", http.request.uri.path)' } } },
    },
  ],
  [
    "http_request_late_transform",
    headerRules,
    {
      action: "rewrite",
      action_parameters: {
        headers: { "X-Id": { operation: "set", expression: "uuidv4(cf.random_seed)" } },
      },
    },
  ],
  [
    "http_request_origin",
    originRules,
    { action: "route", action_parameters: { host_header: "origin.example.com" } },
  ],
  [
    "http_ratelimit",
    limits,
    {
      action: "block",
      ratelimit: {
        characteristics: ["cf.colo.id", "ip.src"],
        period: 3600,
        mitigation_timeout: 3600,
        requests_per_period: 1,
      },
    },
  ],
  [
    "http_request_cache_settings",
    cacheRules,
    { action: "set_cache_settings", action_parameters: { cache: true } },
  ],
];

test("rules of the kinds that the public documentation shows meet what they are for, and nothing else", async (t) => {
  const file = join(newDirectory(t), "matched.jsonl");
  const port = await startOrigin(t);
  const edge = await startEdgeApp(t, "sqlite", port, {
    edge_matched_rules_log: file,
    trusted_proxies: ["127.0.0.1"],
  });
  const { change, rules, visit } = edge;
  await change("PATCH", "/settings/ssl", { value: "flexible" });
  await change("PATCH", "/settings/browser_check", { value: "off" });
  await change("POST", "/dns_records", { type: "CNAME", name: "other", content: "localhost", proxied: true });
  const cases: { readonly marker: string; readonly recipe: Recipe; readonly phase: string }[] = [];
  const idOf = new Map<string, string>();
  for (const [phase, recipes, rest] of phases) {
    const made = recipes.map((recipe, at) => {
      const marker = `${phase}-${at}`;
      cases.push({ marker, recipe, phase });
      const expression = `(${recipe[0]}) and http.request.headers["x-recipe"][0] eq "${marker}" and http.host ne "other.example.com"`;
      return Object.assign({ description: marker, expression }, rest);
    });
    const route = { action: "route", expression: "true", action_parameters: { origin: { port } } };
    await rules(phase, phase === "http_request_origin" ? [route, ...made] : made);
    const stored = await change("GET", `/rulesets/phases/${phase}/entrypoint`);
    for (const { id, description } of stored.rules) idOf.set(description, id);
  }
  const met = cases.filter(({ recipe: [, meets] }) => meets[1]?.host !== "never");
  assert.ok(met.length >= 60, `${met.length} recipes that visitors can meet`);
  await until("HTTPS is served", async () =>
    visit("/", { isSecure: true }).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  const isMet = async (marker: string, [path, options = {}]: Visit): Promise<boolean> => {
    const headers = { "user-agent": "a browser", ...options.headers, "x-recipe": marker };
    // A rate limit of one request acts on the second.
    for (let sent = 0; sent < 2; sent += 1) {
      const { status } = await visit(path, { ...options, headers });
      assert.notEqual(status, 500, marker);
    }
    const line = JSON.parse(readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "");
    return line.rules.includes(idOf.get(marker));
  };
  for (const { marker, recipe } of cases) {
    const [expression, meets, misses] = recipe;
    // A recipe for what no visitor has here is met by none.
    if (meets[1]?.host !== "never")
      assert.equal(await isMet(marker, meets), true, `${marker}: ${expression}`);
    assert.equal(await isMet(marker, misses), false, `${marker}: ${expression}`);
  }
});
