import assert from "node:assert/strict";
import { before, test } from "node:test";

import { createAuthority, issueServerCertificate } from "../../src/tls/local-ca.ts";
import { onComparedEngines, startOfTime, startTestApp, type TestApp } from "../support/harness.ts";
import { suiteContext } from "../support/suite-context.ts";
import { policy } from "../support/token-api.ts";

interface Made {
  readonly zoneId: string;
  readonly accountId: string;
  /** Ids that the row before has made, by the name of the resource. */
  readonly ids: ReadonlyMap<string, string>;
  readonly certificate: object;
}

type Body = Readonly<Record<string, unknown>>;

interface Resource {
  readonly method?: "PATCH" | "PUT";
  readonly path: (made: Made) => string;
  /** Its required members alone. */
  readonly body: (made: Made) => Body | Body[];
  /** The path at which it is read; by default below the one where it was created. */
  readonly read?: (made: Made) => string;
  /**
   * Members that the public schema calls computed, or whose default it documents: they may be answered though they were
   * not sent. Of a nested object, `member.inner`.
   */
  readonly computed: string;
}

const ofZone = (name: string) => ({ path: ({ zoneId }: Made) => `/zones/${zoneId}/${name}` });
const ofAccount = (name: string) => ({ path: ({ accountId }: Made) => `/accounts/${accountId}/${name}` });
const inZone = (name: string) => ({ ...ofZone(name), read: ofZone(name).path });

const resources: Readonly<Record<string, Resource>> = {
  account: {
    path: () => "/accounts",
    body: () => ({ name: "Another" }),
    computed: "type settings created_on managed_by",
  },
  zone: {
    path: () => "/zones",
    body: ({ accountId }) => ({ name: "unsent.example", account: { id: accountId } }),
    computed:
      "type status paused development_mode name_servers original_name_servers modified_on created_on activated_on account.name " +
      "meta owner permissions plan vanity_name_servers tenant tenant_unit",
  },
  list: {
    ...ofAccount("rules/lists"),
    body: () => ({ kind: "redirect", name: "unsent" }),
    computed: "num_items num_referencing_filters created_on modified_on",
  },
  "list item of a redirect": {
    path: ({ accountId, ids }) => `/accounts/${accountId}/rules/lists/${ids.get("list")}/items`,
    body: () => [{ redirect: { source_url: "unsent.example/", target_url: "https://unsent.example/to" } }],
    read: ({ accountId, ids }) => `/accounts/${accountId}/rules/lists/${ids.get("list")}/items`,
    computed: "created_on modified_on",
  },
  "list of host names": {
    ...ofAccount("rules/lists"),
    body: () => ({ kind: "hostname", name: "unsent_hosts" }),
    computed: "num_items num_referencing_filters created_on modified_on",
  },
  "list item of a host name": {
    path: ({ accountId, ids }) => `/accounts/${accountId}/rules/lists/${ids.get("list of host names")}/items`,
    body: () => [{ hostname: { url_hostname: "*.unsent.example" } }],
    read: ({ accountId, ids }) => `/accounts/${accountId}/rules/lists/${ids.get("list of host names")}/items`,
    computed: "created_on modified_on",
  },
  "zone lockdown": {
    ...ofZone("firewall/lockdowns"),
    body: () => ({ urls: ["example.com/*"], configurations: [{ target: "ip", value: "192.0.2.1" }] }),
    computed: "paused created_on modified_on",
  },
  "user-agent rule": {
    ...ofZone("firewall/ua_rules"),
    body: () => ({ mode: "block", configuration: { target: "ua", value: "Unsent" } }),
    computed: "paused",
  },
  "access rule": {
    ...ofZone("firewall/access_rules/rules"),
    body: () => ({ mode: "block", configuration: { target: "ip", value: "192.0.2.9" } }),
    computed: "notes allowed_modes created_on modified_on scope paused",
  },
  "total TLS": {
    ...inZone("acm/total_tls"),
    body: () => ({ enabled: true }),
    computed: "validity_period validity_days",
  },
  "universal SSL": {
    ...inZone("ssl/universal/settings"),
    method: "PATCH",
    body: () => ({ enabled: true }),
    computed: "certificate_authority",
  },
  "certificate pack": {
    path: ofZone("ssl/certificate_packs/order").path,
    body: () => ({
      certificate_authority: "google",
      type: "advanced",
      validation_method: "txt",
      validity_days: 90,
      hosts: ["example.com"],
    }),
    read: ({ zoneId, ids }) => `/zones/${zoneId}/ssl/certificate_packs/${ids.get("certificate pack")}`,
    computed:
      "status certificates cloudflare_branding primary_certificate validation_records validation_errors created_on modified_on dcv_delegation_records",
  },
  "custom certificate": {
    ...ofZone("custom_certificates"),
    body: ({ certificate }) => ({ ...certificate }),
    computed:
      "hosts issuer signature status bundle_method zone_id uploaded_on modified_on expires_on priority type",
  },
  "DNS record": {
    ...ofZone("dns_records"),
    body: () => ({ name: "unsent.example.com", type: "A", ttl: 300, content: "192.0.2.1" }),
    computed: "zone_id zone_name proxiable proxied settings meta tags created_on modified_on",
  },
  "page rule": {
    ...ofZone("pagerules"),
    body: () => ({
      targets: [{ target: "url", constraint: { operator: "matches", value: "example.com/*" } }],
      actions: [{ id: "disable_security" }],
    }),
    computed: "priority status created_on modified_on",
  },
  "Web3 hostname": {
    ...ofZone("web3/hostnames"),
    body: () => ({ name: "web3.example.com", target: "ethereum" }),
    computed: "status created_on modified_on",
  },
  ruleset: {
    ...ofAccount("rulesets"),
    body: () => ({
      kind: "custom",
      name: "unsent",
      phase: "http_request_firewall_custom",
      rules: [{ action: "block", expression: "ssl" }],
    }),
    computed:
      "description source version last_updated rules.id rules.version rules.last_updated rules.ref rules.enabled rules.description",
  },
  "ACL of zone transfers": {
    ...ofAccount("secondary_dns/acls"),
    body: () => ({ name: "unsent", ip_range: "192.0.2.0/24" }),
    computed: "",
  },
  "peer of zone transfers": {
    ...ofAccount("secondary_dns/peers"),
    body: () => ({ name: "unsent" }),
    computed: "",
  },
  "TSIG key": {
    ...ofAccount("secondary_dns/tsigs"),
    body: () => ({ name: "unsent.example.", algo: "hmac-sha256.", secret: "c2VjcmV0" }),
    computed: "",
  },
  "token of a user": {
    path: () => "/user/tokens",
    body: ({ zoneId }) => tokenBody(zoneId),
    computed: "status issued_on modified_on value policies.id policies.permission_groups.name",
  },
  "token of an account": {
    ...ofAccount("tokens"),
    body: ({ zoneId }) => tokenBody(zoneId),
    computed: "status issued_on modified_on value policies.id policies.permission_groups.name",
  },
  "URL normalization": {
    ...inZone("url_normalization"),
    method: "PUT",
    body: () => ({ type: "cloudflare", scope: "incoming" }),
    computed: "",
  },
};

const tokenBody = (zoneId: string): Body => ({
  name: "unsent",
  policies: [policy({ resources: { [`com.cloudflare.api.account.zone.${zoneId}`]: "*" } })],
});

onComparedEngines("what was not sent", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let made: Made & { readonly ids: Map<string, string> };

  before(async () => {
    app = await startTestApp(suite, engine, { create_accounts: "owner" });
    const validity = { notBefore: startOfTime, notAfter: new Date(startOfTime.getTime() + 86_400_000) };
    const authority = await createAuthority("Test CA", validity);
    const issued = await issueServerCertificate(authority, ["example.com"], validity);
    made = {
      zoneId: await app.createZone("example.com"),
      accountId: app.owner.accountId,
      ids: new Map(),
      certificate: { certificate: issued.certificate, private_key: issued.privateKey },
    };
  });

  for (const [name, { method = "POST", path, body, read, computed }] of Object.entries(resources)) {
    test(`is not answered of a ${name}: created, read and listed`, async () => {
      const sent = body(made);
      const answers = [await app.request(method, path(made), { body: sent })];
      const id: unknown = answers[0]?.body.result?.id;
      if (typeof id === "string") made.ids.set(name, id);
      answers.push(await app.request("GET", read?.(made) ?? `${path(made)}/${String(id)}`));
      if (method === "POST" && !path(made).endsWith("/order"))
        answers.push(await app.request("GET", path(made)));
      for (const { status, body: answer, text } of answers) {
        assert.equal(status, 200, text);
        const results: Body[] = [answer.result].flat();
        const one = results.find((result) => id === undefined || result["id"] === id) ?? results[0];
        if (one?.["operation_id"] !== undefined) continue;
        const unsent = unsentIn(one, Array.isArray(sent) ? sent[0] : sent);
        const allowed = new Set(["id", "operation_id", ...computed.split(" ")]);
        assert.deepEqual(
          unsent.filter((member) => !allowed.has(member)),
          [],
          text,
        );
      }
    });
  }
});

/** The members of an answer that were not sent, in objects and lists of them that were. Null is no answer. */
function unsentIn(answered: unknown, sent: unknown, prefix = ""): string[] {
  if (Array.isArray(answered) && Array.isArray(sent)) return unsentIn(answered[0], sent[0], prefix);
  if (typeof answered !== "object" || answered === null || typeof sent !== "object" || sent === null)
    return [];
  return Object.entries(answered).flatMap(([name, value]) => {
    if (value === null) return [];
    const given: unknown = (sent as Body)[name];
    return given === undefined ? [prefix + name] : unsentIn(value, given, `${prefix}${name}.`);
  });
}
