import assert from "node:assert/strict";
import type { TestContext } from "node:test";

import type { Config } from "../../src/config/settings.ts";
import { createDnsClient, type DnsClient } from "./dns-client.ts";
import { startTestApp, until, type Engine, type TestApp } from "./harness.ts";

export const transferSecret = Buffer.from("a secret for transfers, 32 octets").toString("base64");
export const transferKey = "transfers.example";

/** A server whose zones are transferred, over HTTP and DNS. */
export interface Primary {
  readonly app: TestApp;
  readonly dns: DnsClient;
  /** The port of the name server. */
  readonly port: string;
  /** The result of a request that succeeds. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  result(method: string, path: string, body?: unknown): Promise<any>;
  /** Makes a peer at the loopback address, and answers its id. */
  createPeer(port: number, keyId?: string): Promise<string>;
  createKey(): Promise<string>;
  /** Makes an active zone that is transferred to these peers, and answers its id. */
  createZone(name: string, peers: readonly string[]): Promise<string>;
  createRecord(zoneId: string, record: object): Promise<string>;
}

/** Its clock stands at the time of the test, which the times of signatures have to fit. */
export async function startPrimary(
  t: TestContext,
  engine: Engine,
  settings: Partial<Config> = {},
): Promise<Primary> {
  const app = await startTestApp(
    t,
    engine,
    { dns_listen: ["127.0.0.1:0"], ...settings },
    { startedOn: new Date() },
  );
  const [address = ""] = app.dnsAddresses;
  const dns = await createDnsClient(t, address);
  const result: Primary["result"] = async (method, path, body) => {
    const answer = await app.request(method, path, body === undefined ? {} : { body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.result;
  };
  const account = `/accounts/${app.owner.accountId}/secondary_dns`;
  return {
    app,
    dns,
    port: address.split(":").at(-1) ?? "",
    result,
    createKey: async () => {
      const key = { name: `${transferKey}.`, algo: "hmac-sha256.", secret: transferSecret };
      return (await result("POST", `${account}/tsigs`, key)).id as string;
    },
    createPeer: async (port, keyId) => {
      const peer = { name: `port ${port}`, ip: "127.0.0.1", port, tsig_id: keyId };
      const { id } = await result("POST", `${account}/peers`, peer);
      const { read } = await app.storeBeside();
      await until("its catalog is there", async () => {
        const peers = await read
          .selectFrom("transfer_peers")
          .selectAll()
          .where("id", "=", id as string)
          .execute();
        return peers.every(({ catalog_serial }) => catalog_serial !== null);
      });
      return id as string;
    },
    createZone: async (name, peers) => {
      const zoneId = await app.createZone(name);
      await result("PUT", `/zones/${zoneId}/activation_check`);
      const outgoing = `/zones/${zoneId}/secondary_dns/outgoing`;
      await result("POST", outgoing, { name, peers });
      await result("POST", `${outgoing}/enable`);
      await until(`${name} is served`, async () => (await dns.lines(name, "SOA")).length === 2);
      return zoneId;
    },
    createRecord: async (zoneId, record) =>
      (await result("POST", `/zones/${zoneId}/dns_records`, record)).id as string,
  };
}
