import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test, type TestContext } from "node:test";

import { runTool, withoutTool } from "../support/dnssec-tools.ts";
import { createDnsClient } from "../support/dns-client.ts";
import { freePort } from "../support/fixed-port.ts";
import { newDirectory, onComparedEngines, until, type Engine } from "../support/harness.ts";
import { nsd, prepareEngine, withoutEngine } from "../support/name-server-engines.ts";
import { startPrimary, transferKey, transferSecret, type Primary } from "../support/primary.ts";
import { suiteContext } from "../support/suite-context.ts";

const zoneName = "example.com";

const records = [
  { type: "A", name: "www", content: "192.0.2.1" },
  { type: "AAAA", name: "www", content: "2001:db8::1" },
  { type: "MX", name: "@", content: "Mail.example.com", priority: 10 },
  { type: "A", name: "mail", content: "192.0.2.25" },
  { type: "CNAME", name: "alias", content: "www.example.com" },
  { type: "TXT", name: "a.deep.ent", content: '"text"' },
  { type: "A", name: "*.wild", content: "192.0.2.3" },
  { type: "TXT", name: "exists.wild", content: '"text"' },
  { type: "CNAME", name: "*.walias", content: "www.example.com" },
  { type: "A", name: "proxied", content: "192.0.2.9", proxied: true },
  { type: "NS", name: "sub", content: "ns.sub.example.com" },
  { type: "A", name: "ns.sub", content: "192.0.2.53" },
  { type: "TXT", name: "x.sub", content: '"shadowed"' },
  { type: "NS", name: "signed", content: "ns.elsewhere.net" },
  {
    type: "DS",
    name: "signed",
    data: { key_tag: 1, algorithm: 13, digest_type: 2, digest: "ab".repeat(32) },
  },
  {
    type: "SRV",
    name: "_sip._tcp",
    data: { priority: 1, weight: 2, port: 5060, target: "www.example.com" },
  },
];

interface SignedZone {
  readonly primary: Primary;
  readonly zoneId: string;
  readonly directory: string;
}

/** With `peerPort`, it is transferred to a peer there that has a key. */
async function startSigned(
  t: TestContext,
  on: Engine,
  usesNsec3: boolean,
  peerPort?: number,
): Promise<SignedZone> {
  const primary = await startPrimary(t, on, { edge_addresses: ["192.0.2.80", "2001:db8::80"] });
  const keyId = peerPort === undefined ? undefined : await primary.createKey();
  const peerId = await primary.createPeer(peerPort ?? 1, keyId);
  const zoneId = await primary.createZone(zoneName, [peerId]);
  for (const record of records) await primary.createRecord(zoneId, record);
  await primary.result("PATCH", `/zones/${zoneId}/dnssec`, { status: "active", dnssec_use_nsec3: usesNsec3 });
  await until("the zone is signed", async () => (await primary.dns.lines(zoneName, "DNSKEY")).length > 1);
  // Changed after it was signed.
  await primary.createRecord(zoneId, { type: "A", name: "later", content: "192.0.2.8" });
  await until("the change is served", async () => (await primary.dns.lines("later.example.com")).length > 1);
  return { primary, zoneId, directory: newDirectory(t) };
}

const questions: readonly (readonly [question: string, verdict: string])[] = [
  ["example.com SOA", "fully validated"],
  ["example.com NS", "fully validated"],
  ["example.com MX", "fully validated"],
  ["example.com CDS", "fully validated"],
  ["example.com CDNSKEY", "fully validated"],
  ["www.example.com A", "fully validated"],
  ["alias.example.com AAAA", "fully validated"],
  ["later.example.com A", "fully validated"],
  ["proxied.example.com AAAA", "fully validated"],
  ["any.wild.example.com A", "fully validated"],
  ["any.walias.example.com A", "fully validated"],
  ["_sip._tcp.example.com SRV", "fully validated"],
  ["signed.example.com DS", "fully validated"],
  ["www.example.com TXT", "negative response, fully validated"],
  ["nothing.example.com A", "negative response, fully validated"],
  ["x.nothing.www.example.com A", "negative response, fully validated"],
  ["deep.ent.example.com A", "negative response, fully validated"],
  ["any.wild.example.com TXT", "negative response, fully validated"],
  ["x.exists.wild.example.com A", "negative response, fully validated"],
  ["sub.example.com DS", "negative response, fully validated"],
  ["wild.example.com A", "negative response, fully validated"],
];

/** Asks a name server all questions, and has delv judge the answers by the zone's key. */
async function validateAll(
  { primary, zoneId, directory }: SignedZone,
  port: number | string = primary.port,
): Promise<void> {
  const { public_key: key } = await primary.result("GET", `/zones/${zoneId}/dnssec`);
  const anchor = join(directory, "anchor");
  writeFileSync(anchor, `trust-anchors { "${zoneName}" static-key 257 3 13 "${key}"; };\n`);
  for (const [question, verdict] of questions) {
    const options = ["-a", anchor, `+root=${zoneName}`, "-p", String(port), "@127.0.0.1"];
    const { output } = await runTool("delv", [...options, ...question.split(" ")]);
    assert.ok(output.includes(`; ${verdict}`), `${question}: ${output}`);
  }
}

onComparedEngines("a signed zone", (on) => {
  for (const usesNsec3 of [false, true]) {
    const how = usesNsec3 ? "by NSEC3" : "by NSEC";
    const context = suiteContext();
    let signed: SignedZone;
    before(async () => {
      signed = await startSigned(context, on, usesNsec3);
    });

    test(`is taken for genuine by delv, ${how}`, { skip: withoutTool("delv") }, async () => {
      await validateAll(signed);
    });

    test(
      `is served by NSD as it is signed, and followed after NSD was killed, ${how}`,
      { skip: withoutEngine(nsd) || withoutTool("delv") },
      async (t) => {
        const port = await freePort();
        const zone = await startSigned(t, on, usesNsec3, port);
        const setup = { primaryPort: zone.primary.port, keyName: transferKey, secret: transferSecret };
        const engine = prepareEngine(t, nsd, port, { ...setup, catalog: "" });
        const { linesIfAnswered } = await createDnsClient(t, `127.0.0.1:${port}`);
        const hasBecome = (name: string) =>
          until(
            `NSD has ${name}`,
            async () => (await linesIfAnswered(`${name}.${zoneName}`)).length === 2,
            60,
          );
        engine.start();
        await hasBecome("later");
        await validateAll(zone, port);
        await engine.kill();
        await zone.primary.createRecord(zone.zoneId, { type: "A", name: "meanwhile", content: "192.0.2.9" });
        engine.start();
        await hasBecome("meanwhile");
        await validateAll(zone, port);
      },
    );

    test(
      `is taken for complete by ldns-verify-zone, ${how}`,
      {
        skip: withoutTool("ldns-verify-zone") || withoutTool("kdig"),
      },
      async () => {
        const { primary, directory } = signed;
        const transfer = await runTool("kdig", ["@127.0.0.1", "-p", primary.port, zoneName, "AXFR", "+tcp"]);
        const file = join(directory, "zone");
        writeFileSync(file, transfer.output.replaceAll(/^;.*$/gm, ""));
        const { code, output } = await runTool("ldns-verify-zone", [file]);
        assert.equal(code, 0, `${output}\n${transfer.output}`);
      },
    );

    test(
      `has signatures for those alone who ask for them, ${how}`,
      { skip: withoutTool("kdig") },
      async () => {
        const options = ["@127.0.0.1", "-p", signed.primary.port, "www.example.com", "A"];
        const [plain, secure] = await Promise.all([
          runTool("kdig", options),
          runTool("kdig", [...options, "+dnssec"]),
        ]);
        assert.ok(!plain.output.includes("RRSIG"), plain.output);
        assert.match(secure.output, /RRSIG\s+A 13 3 300 /);
        assert.match(secure.output, /Flags: qr aa rd;/);
      },
    );
  }
});
