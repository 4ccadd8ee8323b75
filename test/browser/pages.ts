import assert from "node:assert/strict";
import type { TestContext } from "node:test";

import { startOfTime, type TestApp } from "../support/harness.ts";
import { recordEvents } from "../support/security-event-api.ts";

interface DashboardPlace {
  /** The name of its picture. */
  readonly name: string;
  /** `ZONE` and `ACCOUNT` stand for their ids. */
  readonly path: string;
  readonly heading: string;
}

/** Every page behind the sign-in. */
export const pages: readonly DashboardPlace[] = [
  { name: "zones", path: "/", heading: "Zones" },
  { name: "zone", path: "/zones/ZONE", heading: "example.com" },
  { name: "dns", path: "/zones/ZONE/dns", heading: "DNS records" },
  { name: "certificates", path: "/zones/ZONE/ssl", heading: "Certificates" },
  { name: "managed-rules", path: "/zones/ZONE/security/waf/managed-rules", heading: "WAF managed rules" },
  {
    name: "previous-rules",
    path: "/zones/ZONE/security/waf/managed-rules?package=c504870194831cd12c3fc0284f294abb",
    heading: "WAF managed rules",
  },
  {
    name: "deploy-ruleset",
    path: "/zones/ZONE/security/waf/managed-rules/new",
    heading: "Deploy a managed ruleset",
  },
  {
    name: "exception",
    path: "/zones/ZONE/security/waf/managed-rules/new?action=skip",
    heading: "Add an exception",
  },
  { name: "rules", path: "/zones/ZONE/rules", heading: "Rules" },
  {
    name: "custom-rules",
    path: "/zones/ZONE/rules/http_request_firewall_custom",
    heading: "Custom rules",
  },
  {
    name: "rule-editor",
    path: "/zones/ZONE/rules/http_ratelimit/new",
    heading: "Add a rule",
  },
  {
    name: "firewall-rules",
    path: "/zones/ZONE/security/firewall-rules",
    heading: "Firewall rules",
  },
  { name: "filters", path: "/zones/ZONE/security/filters", heading: "Filters" },
  { name: "request-tracer", path: "/zones/ZONE/trace", heading: "Request tracer" },
  { name: "lists", path: "/accounts/ACCOUNT/rules/lists", heading: "Lists" },
  { name: "account-rules", path: "/accounts/ACCOUNT/rules", heading: "Rules" },
  { name: "security-events", path: "/zones/ZONE/security/events", heading: "Security events" },
  { name: "replay", path: "/zones/ZONE/security/events/replay", heading: "Replay requests" },
  { name: "zone-settings", path: "/zones/ZONE/settings", heading: "Zone settings" },
  { name: "access-rules", path: "/zones/ZONE/security/access-rules", heading: "IP access rules" },
  { name: "user-agent-rules", path: "/zones/ZONE/security/user-agents", heading: "User agent rules" },
  { name: "zone-lockdowns", path: "/zones/ZONE/security/lockdowns", heading: "Zone lockdowns" },
  { name: "account-access-rules", path: "/accounts/ACCOUNT/access-rules", heading: "IP access rules" },
  { name: "user-access-rules", path: "/profile/access-rules", heading: "IP access rules" },
  { name: "page-rules", path: "/zones/ZONE/page-rules", heading: "Page rules" },
  { name: "web3-hostnames", path: "/zones/ZONE/web3", heading: "Web3 hostnames" },
  { name: "zone-plan", path: "/zones/ZONE/plan", heading: "Plan and hold" },
  { name: "dns-settings", path: "/zones/ZONE/dns/settings", heading: "DNS settings" },
  { name: "dns-defaults", path: "/accounts/ACCOUNT/dns-settings", heading: "DNS defaults" },
  { name: "dnssec", path: "/zones/ZONE/dns/dnssec", heading: "DNSSEC" },
  { name: "zone-transfers", path: "/zones/ZONE/dns/transfers", heading: "Zone transfers" },
  { name: "transfer-peers", path: "/accounts/ACCOUNT/zone-transfers/peers", heading: "Transfer peers" },
  { name: "tsig-keys", path: "/accounts/ACCOUNT/zone-transfers/keys", heading: "TSIG keys" },
  { name: "transfer-acls", path: "/accounts/ACCOUNT/zone-transfers/acls", heading: "Transfer ACLs" },
  { name: "edge", path: "/zones/ZONE/edge", heading: "Edge" },
  { name: "edges", path: "/accounts/ACCOUNT/edges", heading: "Edges" },
  { name: "dns-batch", path: "/zones/ZONE/dns/batch", heading: "DNS scan and batch" },
  { name: "cache", path: "/zones/ZONE/cache", heading: "Purge the cache" },
  { name: "urls-and-headers", path: "/zones/ZONE/url-and-headers", heading: "URLs and headers" },
  { name: "gateway", path: "/networks", heading: "Gateway" },
  { name: "members", path: "/accounts/ACCOUNT/members", heading: "Members" },
  { name: "account-details", path: "/accounts/ACCOUNT/details", heading: "Account details" },
  { name: "account-tokens", path: "/accounts/ACCOUNT/tokens", heading: "API tokens" },
  {
    name: "new-account-token",
    path: "/accounts/ACCOUNT/tokens/new?template=edit-dns",
    heading: "Edit zone DNS",
  },
  { name: "resource-groups", path: "/accounts/ACCOUNT/resource-groups", heading: "Resource groups" },
  { name: "audit-log", path: "/accounts/ACCOUNT/audit-log", heading: "Audit log" },
  { name: "tokens", path: "/profile/tokens", heading: "API tokens" },
  { name: "new-token", path: "/profile/tokens/new", heading: "New API token" },
  {
    name: "token-policies",
    path: "/profile/tokens/new?template=create-tokens",
    heading: "Create additional tokens",
  },
  {
    name: "permission-groups",
    path: "/profile/permission-groups",
    heading: "Permission groups",
  },
  { name: "my-details", path: "/profile/details", heading: "My details" },
  { name: "sessions", path: "/profile/sessions", heading: "Sessions" },
  { name: "my-audit-log", path: "/profile/audit-log", heading: "Audit log" },
  { name: "two-factor", path: "/profile/two-factor", heading: "Two-factor sign-in" },
  { name: "memberships", path: "/profile/memberships", heading: "Memberships" },
  { name: "sign-in-and-key", path: "/profile/sign-in", heading: "Sign-in and key" },
];

const records = [
  { type: "A", name: "@", content: "192.0.2.1", proxied: true },
  { type: "AAAA", name: "@", content: "2001:db8::1", proxied: true },
  { type: "CNAME", name: "www", content: "example.com", proxied: true, comment: "The web site" },
  { type: "A", name: "api", content: "192.0.2.7", ttl: 300, tags: ["team:platform"] },
  { type: "MX", name: "@", content: "mx1.example.net", priority: 10, ttl: 3600 },
  { type: "MX", name: "@", content: "mx2.example.net", priority: 20, ttl: 3600 },
  { type: "TXT", name: "@", content: "v=spf1 include:_spf.example.net -all", ttl: 3600 },
  { type: "CAA", name: "@", content: '0 issue "ca.example"' },
  { type: "SRV", name: "_sip._udp", content: "5 5060 sip.example.com", priority: 10 },
];

const customRules = [
  {
    description: "Monitoring",
    action: "skip",
    action_parameters: { ruleset: "current", phases: ["http_ratelimit"] },
    expression: "ip.src in {192.0.2.0/24}",
  },
  {
    description: "Admin from abroad",
    action: "managed_challenge",
    expression: 'starts_with(http.request.uri.path, "/admin") and not ip.src.country in {"DE" "AT"}',
  },
  { description: "Old clients", action: "log", expression: 'http.request.version eq "HTTP/1.0"' },
];

const attacks = [
  { path: "/wp-login.php", query: "", message: "WordPress - Login attempts", country: "BR" },
  { path: "/search", query: "q=' or 1=1 --", message: "SQL injection in a query", country: "DE" },
  { path: "/.env", query: "", message: "Information disclosure", action: "log", edgeStatus: 200 },
  { path: "/login", query: "", message: "Leaked credentials", action: "managed_challenge" },
] as const;

/** More of them in some hours than in others. */
const eventsOfDay = [3, 1, 0, 2, 5, 8, 4, 2, 1, 0, 0, 1].flatMap((count, place) =>
  Array.from({ length: count }, (_, index) => ({
    on: new Date(startOfTime.getTime() - (2 * place + 1) * 3_600_000 + index * 60_000).toISOString(),
    ...(attacks[(place + index) % attacks.length] as (typeof attacks)[number]),
  })),
);

/** Made in the zone besides its records. */
const furniture: readonly (readonly [path: string, body: object])[] = [
  [
    "/firewall/access_rules/rules",
    { mode: "block", configuration: { target: "ip_range", value: "192.0.2.0/24" }, notes: "Scanners" },
  ],
  [
    "/firewall/access_rules/rules",
    { mode: "managed_challenge", configuration: { target: "asn", value: "AS64496" }, notes: "" },
  ],
  [
    "/firewall/ua_rules",
    {
      mode: "block",
      configuration: { target: "ua", value: "BadBot/1.0" },
      description: "Ignores robots.txt",
    },
  ],
  [
    "/firewall/lockdowns",
    {
      urls: ["example.com/admin/*"],
      configurations: [{ target: "ip", value: "198.51.100.7" }],
      description: "The office",
    },
  ],
  [
    "/pagerules",
    {
      targets: [{ target: "url", constraint: { operator: "matches", value: "example.com/images/*" } }],
      actions: [{ id: "cache_level", value: "cache_everything" }],
      priority: 2,
      status: "active",
    },
  ],
  [
    "/pagerules",
    {
      targets: [{ target: "url", constraint: { operator: "matches", value: "example.com/old/*" } }],
      actions: [{ id: "forwarding_url", value: { url: "https://www.example.com/$1", status_code: 301 } }],
      status: "active",
    },
  ],
  ["/web3/hostnames", { name: "ipfs.example.com", target: "ipfs_universal_path", description: "Archive" }],
];

/** A peer with a key, to which the zone goes, and an ACL. */
async function furnishTransfers(app: TestApp, zoneId: string): Promise<void> {
  const result = async (path: string, body: object): Promise<{ readonly id: string }> => {
    const answer = await app.request("POST", path, { body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.result;
  };
  const account = `/accounts/${app.owner.accountId}/secondary_dns`;
  const secret = Buffer.from("32 octets that are secret enough").toString("base64");
  const key = await result(`${account}/tsigs`, { name: "xfr.example.com.", algo: "hmac-sha256.", secret });
  const peer = { name: "Knot in Frankfurt", ip: "192.0.2.53", tsig_id: key.id };
  const peers = [(await result(`${account}/peers`, peer)).id];
  await result(`${account}/acls`, { name: "Monitoring", ip_range: "198.51.100.0/28" });
  const outgoing = `/zones/${zoneId}/secondary_dns/outgoing`;
  await result(outgoing, { name: "example.com", peers });
  await result(`${outgoing}/enable`, {});
}

/** Gives every page something to show; answers what to put in place of `ZONE` and `ACCOUNT` of a path. */
export async function furnish(t: TestContext, app: TestApp): Promise<(path: string) => string> {
  const zoneId = await app.createZone("example.com");
  const send = async (method: string, path: string, body?: object): Promise<void> => {
    const { status, text } = await app.request(method, path, body && { body });
    assert.equal(status, 200, text);
  };
  for (const name of ["example.net", "shop.example"]) await app.createZone(name);
  await send("PUT", `/zones/${zoneId}/activation_check`);
  await send("POST", `/zones/${zoneId}/dns_records/batch`, { posts: records });
  const roles = await app.request("GET", `/accounts/${app.owner.accountId}/roles`);
  const dns = roles.body.result.find(({ name }: { name: string }) => name === "DNS").id as string;
  await send("POST", `/accounts/${app.owner.accountId}/members`, { email: "dora@example.com", roles: [dns] });
  await send("PATCH", `/zones/${zoneId}/dnssec`, { status: "active" });
  await furnishTransfers(app, zoneId);
  for (const [path, body] of furniture) await send("POST", `/zones/${zoneId}${path}`, body);
  await send("POST", `/accounts/${app.owner.accountId}/rules/lists`, {
    name: "offices",
    kind: "ip",
    description: "Where we work",
  });
  await send("POST", `/zones/${zoneId}/rulesets`, {
    name: "default",
    kind: "zone",
    phase: "http_request_firewall_custom",
    rules: customRules,
  });
  await recordEvents(t, app, zoneId, eventsOfDay);
  return (path) => path.replace("ZONE", zoneId).replace("ACCOUNT", app.owner.accountId);
}
