import { encodeText } from "../../src/core/expression/byte-string.ts";
import type { RuleRequest } from "../../src/core/seclang/evaluate/request.ts";

const agents = {
  firefox: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  safari:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  terraform: "terraform-provider-example/5.7.1 terraform/1.12.2 Go-http-client/2.0",
  certbot:
    "CertbotACMEClient/4.1.1 (certbot; Linux) Authenticator/webroot Installer/None (certonly; flags: n) Py/3.13.3",
  python: "python-requests/2.32.4",
  sdk: "Example/TypeScript 5.0.0",
  monitor: "Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
  search: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
} as const;

type Agent = keyof typeof agents;

function request(
  method: string,
  target: string,
  agent: Agent,
  more: Record<string, string>,
  body: string,
): RuleRequest {
  const headers = {
    Host: "www.example.com",
    "User-Agent": agents[agent],
    Accept: "*/*",
    ...more,
    ...(method === "GET" ? {} : { "Content-Length": String(encodeText(body).length) }),
  };
  return {
    method,
    target,
    protocol: "HTTP/1.1",
    headers: Object.entries(headers).map(([name, value]) => ({ name, value: encodeText(value) })),
    body: encodeText(body),
    remoteAddress: "192.0.2.1",
  };
}

const visit = (target: string, agent: Agent = "firefox", more: Record<string, string> = {}): RuleRequest =>
  request("GET", target, agent, more, "");

const search = (text: string): RuleRequest => visit(`/search?${new URLSearchParams({ q: text }).toString()}`);

const form = (target: string, fields: Record<string, string>): RuleRequest =>
  request(
    "POST",
    target,
    "firefox",
    { "Content-Type": "application/x-www-form-urlencoded", Origin: "https://www.example.com" },
    new URLSearchParams(fields).toString(),
  );

const json = (target: string, value: unknown, agent: Agent = "sdk"): RuleRequest =>
  request(
    "POST",
    target,
    agent,
    { "Content-Type": "application/json", Authorization: "Bearer 0123456789abcdef" },
    JSON.stringify(value),
  );

const upload = (name: string, type: string, content: string): RuleRequest =>
  request(
    "POST",
    "/files",
    "safari",
    { "Content-Type": "multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW" },
    [
      "------WebKitFormBoundary7MA4YWxkTrZu0gW",
      'Content-Disposition: form-data; name="title"',
      "",
      "Holiday pictures",
      "------WebKitFormBoundary7MA4YWxkTrZu0gW",
      `Content-Disposition: form-data; name="file"; filename="${name}"`,
      `Content-Type: ${type}`,
      "",
      content,
      "------WebKitFormBoundary7MA4YWxkTrZu0gW--",
      "",
    ].join("\r\n"),
  );

/** Requests of people and programs that mean no harm. */
export const ordinaryTraffic: readonly RuleRequest[] = [
  visit("/"),
  visit("/favicon.ico"),
  visit("/robots.txt", "search"),
  visit("/sitemap.xml", "search"),
  visit("/status", "monitor"),
  visit("/blog/2026/11/why-we-moved?utm_source=newsletter&utm_medium=email&utm_campaign=autumn_2026"),
  visit("/assets/app.3f9c1b.js", "firefox", { Referer: "https://www.example.com/blog/" }),
  visit("/assets/fonts/inter-v13-latin-regular.woff2", "safari"),
  visit("/products?category=chairs&min=100&max=250&sort=-price&page=3&in_stock=true"),
  visit("/calendar?from=2026-11-01T00:00:00Z&to=2026-11-30T23:59:59Z&tz=Europe/Amsterdam"),
  visit("/map?lat=52.3702&lon=4.8952&zoom=12.5&bbox=4.72,52.27,5.07,52.43"),
  visit("/login?return_to=%2Faccount%2Forders%3Fpage%3D2"),
  visit("/", "safari", { Cookie: "session=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.dBjftJeZ4CVP; theme=dark; _ga=GA1.2.1234567890.1700000000" }),
  visit("/download/report%20Q3%202026.pdf"),
  visit("/.well-known/acme-challenge/LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0", "certbot"),
  visit("/client/v4/zones?name=example.com&per_page=50&page=1", "terraform", { Authorization: "Bearer 0123456789abcdef" }),
  visit("/client/v4/zones/023e105f4ecef8ad9ca31a8372d0c353/dns_records?type=TXT", "python"),
  search("chair"),
  search("oak dining table 220 cm"),
  search("Müller's café"),
  search("l'été à Paris"),
  search("¿dónde está la biblioteca?"),
  search("Привет, мир"),
  search("東京 ラーメン"),
  search("مرحبا بالعالم"),
  search("rock & roll"),
  search("C++ vs. C#"),
  search("50% off"),
  search("O'Brien"),
  search("how to select a mattress"),
  search("union of two sets"),
  search("where to drop off parcels"),
  search("node.js 24 release notes"),
  search("price < 100"),
  search("terms and conditions"),
  form("/login", { username: "johanna@example.com", password: "correct horse battery staple" }),
  form("/contact", { name: "Seán O'Connor", email: "sean@example.ie", message: "Hello,\n\nmy order (no. 48213) hasn't arrived yet - could you check?\n\nThanks!" }),
  form("/comments", { post: "17", text: "Great post! I'd also mention that prices rose by 5% in 2025; see https://example.org/prices." }),
  form("/profile", { bio: "Designer & developer. Loves cats, bikes + coffee :-)", website: "https://johanna.example.com/" }),
  form("/address", { street: "Rue de l'Église 12", city: "Liège", postcode: "4000", country: "BE" }),
  form("/survey", { "answers[1]": "yes", "answers[2]": "no", "answers[3]": "I don't know" }),
  json("/graphql", { query: "query Orders($first: Int!) { viewer { orders(first: $first) { id total lines { sku quantity } } } }", variables: { first: 10 } }, "firefox"),
  json("/graphql", { operationName: "AddToCart", query: "mutation AddToCart($sku: ID!) { addToCart(sku: $sku) { cart { id } } }", variables: { sku: "CH-1042" } }, "safari"),
  json("/client/v4/zones", { name: "example.com", account: { id: "023e105f4ecef8ad9ca31a8372d0c353" }, type: "full" }, "terraform"),
  json("/client/v4/zones/023e105f4ecef8ad9ca31a8372d0c353/dns_records", { type: "A", name: "www", content: "192.0.2.10", ttl: 300, proxied: true }, "terraform"),
  json("/client/v4/zones/023e105f4ecef8ad9ca31a8372d0c353/dns_records", { type: "TXT", name: "_dmarc", content: "v=DMARC1; p=none; rua=mailto:dmarc@example.com", ttl: 1 }, "python"),
  json("/rpc", { jsonrpc: "2.0", id: 1, method: "eth_getBalance", params: ["0x8ba1f109551bD432803012645Ac136ddd64DBA72", "latest"] }, "sdk"),
  json("/api/messages", { to: ["anna@example.com"], subject: "Lunch on Friday?", text: "How about 12:30 at the café? It's on me." }, "safari"),
  json("/api/events", [{ event: "page_view", at: "2026-11-23T11:00:00Z", path: "/products/oak-chair" }, { event: "click", at: "2026-11-23T11:00:04Z", target: "add-to-cart" }], "firefox"),
  json("/webhooks/payments", { id: "evt_1NG8Du2eZvKYlo2CUI79vXWy", type: "payment.succeeded", data: { amount: 12950, currency: "eur", refunded: false, metadata: null } }, "python"),
  upload("beach.jpg", "image/jpeg", "\u00ff\u00d8\u00ff\u00e0\u0000\u0010JFIF"),
  upload("report-2026.pdf", "application/pdf", "%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"),
  upload("notes.txt", "text/plain", "Milk, bread, eggs.\nCall Anna at 5 o'clock."),
]; // prettier-ignore
