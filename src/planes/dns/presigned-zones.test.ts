import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp, until } from "../../../test/support/harness.ts";
import { servePrimary, type Script } from "../../../test/support/scripted-primary.ts";
import { startSecondary } from "../../../test/support/secondary.ts";
import { typeCodes } from "../../core/dns/wire/codes.ts";
import type { ResourceRecord } from "../../core/dns/wire/message.ts";
import { nameToOctets } from "../../core/dns/wire/names.ts";
import { fourOctets, octet, twoOctets } from "../../core/dns/wire/octets.ts";

const record = (name: string, type: number, rdata: string): ResourceRecord => ({
  name,
  type,
  class: 1,
  ttl: 60,
  rdata,
});
const soa = (serial: number): ResourceRecord =>
  record(
    "example.com",
    typeCodes.SOA,
    nameToOctets("ns1.example.net") +
      nameToOctets("x.example.net") +
      fourOctets(serial) +
      fourOctets(600).repeat(4),
  );
const address = record("www.example.com", typeCodes.A, "\u00c0\0\u0002\u0001");
const signature = record(
  "www.example.com",
  typeCodes.RRSIG,
  twoOctets(typeCodes.A) + octet(13) + octet(3) + "\0".repeat(14) + nameToOctets("example.com") + "signature",
);
const parameters = (iterations: number, salt = ""): string =>
  `${octet(1)}\0${twoOctets(iterations)}${octet(salt.length)}${salt}`;

const malformed: readonly (readonly [what: string, type: number, rdata: string])[] = [
  ["a signature without a signer", typeCodes.RRSIG, "\0".repeat(17)],
  ["a signature that ends behind its signer", typeCodes.RRSIG, "\0".repeat(18) + nameToOctets("example.com")],
  ["an NSEC record without a name", typeCodes.NSEC, "\u0005ab"],
  ["a bitmap that is too long", typeCodes.NSEC, `${nameToOctets("example.com")}\0\u0021${"x".repeat(33)}`],
  ["a bitmap that ends early", typeCodes.NSEC, `${nameToOctets("example.com")}\0\u0002x`],
  ["windows in a wrong order", typeCodes.NSEC, `${nameToOctets("example.com")}\u0001\u0001x\0\u0001x`],
  ["an NSEC3 record without a hash", typeCodes.NSEC3, parameters(0)],
  ["a salt that ends early", typeCodes.NSEC3PARAM, `${octet(1)}\0\0\0${octet(9)}salt`],
  ["too many iterations", typeCodes.NSEC3PARAM, parameters(151)],
  ["a CDS record that is too short", typeCodes.CDS, "\0\0"],
];

onComparedEngines("a presigned zone", (engine) => {
  test("is served with its signatures, keeps its serial, and not what its primary sends malformed", async (t) => {
    const script: { current: Script } = { current: () => [] };
    const sends = (serial: number, ...records: ResourceRecord[]): void => {
      script.current = ({ questions }) => [
        questions[0]?.type === typeCodes.SOA ? [soa(serial)] : [soa(serial), ...records, soa(serial)],
      ];
    };
    sends(7, address, signature);
    const port = await servePrimary(t, script);
    const { app, zoneId, state, force, lines } = await startSecondary(t, engine, { port, isSigned: false });
    const path = `/zones/${zoneId}/dnssec`;
    const { read } = await app.storeBeside();
    const stored = () => read.selectFrom("wire_records").selectAll().execute();
    await until("it is transferred", async () => (await state()).soa_serial === 7);
    assert.deepEqual(await stored(), []);
    await until("it is served", async () => (await lines("example.com", "SOA")).length === 2);
    const served = await lines("example.com", "SOA");
    const answer = await app.request("PATCH", path, { body: { status: "active", dnssec_presigned: true } });
    assert.equal(answer.status, 200, answer.text);
    await until("it is transferred again", async () => (await stored()).length === 1);
    assert.deepEqual(await lines("example.com", "SOA"), served);
    const dnssec = (await app.request("GET", path)).body.result as Record<string, unknown>;
    assert.deepEqual([dnssec["status"], dnssec["ds"]], ["pending", null]);

    for (const [at, [what, type, rdata]] of malformed.entries()) {
      const serial = 8 + at;
      sends(serial, address, record("www.example.com", type, rdata));
      const due = async () => (await read.selectFrom("incoming_transfers").selectAll().execute())[0]?.due_on;
      const before = await due();
      app.advance(1_000);
      await force();
      await until(`${what} has been refused`, async () => (await due()) !== before);
      assert.equal((await state()).soa_serial, 7, what);
      assert.equal((await stored()).length, 1, what);
    }
  });

  test("has no several signers, and is a copy of another server's", async (t) => {
    const app = await startTestApp(t, engine, {}, { dnssecRoundMs: 2 ** 30 });
    const made = await app.request("POST", "/zones", { body: { name: "copy.example", type: "secondary" } });
    const path = `/zones/${made.body.result.id as string}/dnssec`;
    const edit = (body: object) => app.request("PATCH", path, { body });
    const both = { status: "active", dnssec_presigned: true, dnssec_multi_signer: true };
    const refused = await edit(both);
    assert.deepEqual([refused.status, refused.body.errors[0]?.code], [400, 10054]);
    assert.equal((await app.request("GET", path)).body.result.modified_on, null);
    assert.equal((await edit({ status: "active", dnssec_presigned: true })).status, 200);
    assert.equal((await edit({ dnssec_multi_signer: true })).body.errors[0]?.code, 10054);
    assert.deepEqual((await app.request("GET", `${path}/zsk`)).body.result, []);
    const off = (await edit({ dnssec_presigned: false, dnssec_multi_signer: true })).body.result as object;
    assert.ok("key_tag" in off && off.key_tag !== null, "the zone is signed here then");
  });
});
