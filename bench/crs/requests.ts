import type { RuleRequest } from "../../src/core/seclang/evaluate/request.ts";

const browser = [
  { name: "Host", value: "www.example.com" },
  {
    name: "User-Agent",
    value:
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36",
  },
  { name: "Accept", value: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8" },
  { name: "Accept-Language", value: "en-GB,en;q=0.9,nl;q=0.8" },
  { name: "Accept-Encoding", value: "gzip, deflate, br" },
  { name: "Connection", value: "keep-alive" },
  { name: "Cookie", value: "session=5f2c9a7be1d04c3c; theme=dark; consent=yes" },
];

const form = new URLSearchParams({
  first_name: "Johanna",
  last_name: "van der Berg",
  email: "johanna@example.com",
  street: "Keizersgracht 174",
  city: "Amsterdam",
  postcode: "1016 DW",
  country: "NL",
  phone: "+31 20 555 0199",
  newsletter: "yes",
  comment: "Please ring twice, the bell on the left does not always work. Thank you!",
}).toString();

/** About 1 KB with 38 keys. */
const json = JSON.stringify({
  order: {
    id: 48213,
    currency: "EUR",
    customer: { id: 991, name: "Johanna van der Berg", email: "johanna@example.com", vip: false },
    address: { street: "Keizersgracht 174", city: "Amsterdam", postcode: "1016 DW", country: "NL" },
    lines: [
      { sku: "CH-1042", title: "Oak chair, natural", quantity: 4, price: 129.5, colour: "oak" },
      { sku: "TB-2201", title: "Dining table 220 cm", quantity: 1, price: 899, colour: "walnut" },
      { sku: "LP-0007", title: "Floor lamp with a dimmer", quantity: 2, price: 79.95, colour: "black" },
    ],
    delivery: { method: "courier", date: "2026-12-01", slot: "morning", note: "Please ring twice" },
    payment: { method: "ideal", issuer: "Bank", reference: "ord-48213-2026", accepted: true },
    meta: { channel: "web", campaign: "autumn sale", locale: "nl-NL", version: 3 },
  },
});

function get(target: string): RuleRequest {
  return {
    method: "GET",
    target,
    protocol: "HTTP/1.1",
    headers: browser,
    body: "",
    remoteAddress: "192.0.2.1",
  };
}

function post(target: string, type: string, body: string): RuleRequest {
  const headers = [
    ...browser,
    { name: "Content-Type", value: type },
    { name: "Content-Length", value: String(body.length) },
  ];
  return { method: "POST", target, protocol: "HTTP/1.1", headers, body, remoteAddress: "192.0.2.1" };
}

/** The requests that each engine judges, by their names in the results. */
export const requests: Readonly<Record<string, RuleRequest>> = {
  "a plain GET": get("/shop/chairs/oak?page=2&sort=price&colour=natural"),
  "an injection of SQL": get(
    "/shop/item?id=1%27%20UNION%20SELECT%20username%2Cpassword%20FROM%20users--%20-",
  ),
  "an injection of a script": get("/search?q=%3Cscript%3Ealert(document.cookie)%3C%2Fscript%3E"),
  "a form of ten fields": post("/account/address", "application/x-www-form-urlencoded", form),
  "1 KB of JSON": post("/api/orders", "application/json", json),
};
