import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";

import { flagBits, rcodes } from "../core/dns/wire/codes.ts";
import {
  createDnsClient,
  dnsQuery,
  framed,
  readAnswers,
  type DnsClient,
} from "../../test/support/dns-client.ts";
import { startFaultApp, type FaultApp } from "../../test/support/fault-api.ts";
import { until } from "../../test/support/harness.ts";

const query = { name: "www.example.com", type: "A" } as const;

async function startBoth(t: TestContext): Promise<{ app: FaultApp; dns: DnsClient; zone: string }> {
  const app = await startFaultApp(t, "sqlite", { dns_listen: ["127.0.0.1:0"] });
  const zone = await app.createZone("example.com");
  await app.request("PUT", `/zones/${zone}/activation_check`);
  await app.request("POST", `/zones/${zone}/dns_records`, {
    body: { type: "A", name: "www", content: "192.0.2.1", ttl: 300 },
  });
  const dns = await createDnsClient(t, app.dnsAddresses[0] ?? "");
  await until("the zone is served", async () => (await dns.ask(query)).answers.length > 0);
  await app.control("DELETE", "/journal");
  return { app, dns, zone };
}

describe("a fault of DNS", () => {
  test("answers with a code, cuts off, loses an answer or delays it; the journal has each question", async (t) => {
    const { app, dns, zone } = await startBoth(t);
    const dnsMatch = { listener: "dns", next: 1 };
    await app.fault([
      { match: { ...dnsMatch, zone }, effect: { type: "error" } },
      { match: { ...dnsMatch, path: "/www.example.com/A" }, effect: { type: "error", code: rcodes.REFUSED } },
      { match: dnsMatch, effect: { type: "bad_json", form: "truncated" } },
      { match: dnsMatch, effect: { type: "lost_answer" } },
      { match: dnsMatch, effect: { type: "latency", ms: 1 } },
    ]);
    const codes: number[] = [];
    for (let question = 0; question < 3; question += 1) {
      const { flags, answers, questions } = await dns.ask(query);
      assert.equal(questions[0]?.name, "www.example.com");
      assert.equal(answers.length, 0);
      codes.push(flags & (flagBits.rcode | flagBits.truncated));
    }
    assert.deepEqual(codes, [rcodes.SERVFAIL, rcodes.REFUSED, flagBits.truncated]);
    const connection = dns.connect();
    const second = dnsQuery({ ...query, change: (message) => ({ ...message, id: 4712 }) });
    connection.write(Buffer.concat([framed(dnsQuery(query)), framed(second)]));
    const [answer] = await readAnswers(connection, 1);
    assert.equal(answer?.id, 4712);
    assert.equal(answer.answers.length, 1);
    const entries = await app.journal({ listener: "dns" });
    assert.deepEqual(
      entries.map(({ path, method, status, fault, zone: of }) => [path, method, status, fault, of]),
      [
        ["/www.example.com/A", "QUERY", rcodes.SERVFAIL, "1", zone],
        ["/www.example.com/A", "QUERY", rcodes.REFUSED, "2", zone],
        ["/www.example.com/A", "QUERY", rcodes.NOERROR, "3", zone],
        ["/www.example.com/A", "QUERY", null, "4", zone],
        ["/www.example.com/A", "QUERY", rcodes.NOERROR, null, zone],
      ],
    );
  });
});
