import assert from "node:assert/strict";
import type { TestContext } from "node:test";

import type { Config } from "../../src/config/settings.ts";
import { createDnsClient } from "./dns-client.ts";
import { startTestApp, type Engine, type TestApp } from "./harness.ts";
import { transferKey, transferSecret } from "./primary.ts";

interface SecondaryZone {
  readonly app: TestApp;
  readonly zoneId: string;
  /** The state of the incoming transfers. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as the API answers it
  state(): Promise<any>;
  force(): Promise<void>;
  /** `name TTL type content` of each record, sorted. */
  records(): Promise<string[]>;
  lines(name: string, type?: "A" | "SOA" | "NS" | "MX" | "TXT"): Promise<string[]>;
}

interface Setup {
  /** The port of the primary at 127.0.0.1. */
  readonly port: number;
  readonly isSigned?: boolean;
  readonly peer?: object;
  readonly settings?: Partial<Config>;
}

/** A server with the secondary zone example.com, which is transferred from a peer. */
export async function startSecondary(
  t: TestContext,
  engine: Engine,
  { port, isSigned = true, peer = {}, settings = {} }: Setup,
): Promise<SecondaryZone> {
  const app = await startTestApp(
    t,
    engine,
    { dns_listen: ["127.0.0.1:0"], ...settings },
    { startedOn: new Date() },
  );
  const result = async (method: string, path: string, body?: unknown) => {
    const answer = await app.request(method, path, body === undefined ? {} : { body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.result;
  };
  const account = `/accounts/${app.owner.accountId}/secondary_dns`;
  const key = { name: `${transferKey}.`, algo: "hmac-sha256.", secret: transferSecret };
  const tsig_id = isSigned ? (await result("POST", `${account}/tsigs`, key)).id : undefined;
  const made = await result("POST", `${account}/peers`, {
    name: "primary",
    ip: "127.0.0.1",
    port,
    tsig_id,
    ...peer,
  });
  const { id: zoneId } = await result("POST", "/zones", { name: "example.com", type: "secondary" });
  await result("PUT", `/zones/${zoneId}/activation_check`);
  const incoming = `/zones/${zoneId}/secondary_dns/incoming`;
  await result("POST", incoming, { name: "example.com", peers: [made.id], auto_refresh_seconds: 300 });
  return {
    app,
    zoneId,
    state: () => result("GET", incoming),
    force: async () => void (await result("POST", `/zones/${zoneId}/secondary_dns/force_axfr`)),
    records: async () => {
      const records = await result("GET", `/zones/${zoneId}/dns_records?per_page=5000`);
      return records
        .map(
          ({ name, ttl, type, content }: Record<string, string | number>) =>
            `${name} ${ttl} ${type} ${content}`,
        )
        .toSorted();
    },
    lines: async (name, type) => {
      const client = await createDnsClient(t, app.dnsAddresses[0] ?? "");
      return (await client.lines(name, type)).toSorted();
    },
  };
}
