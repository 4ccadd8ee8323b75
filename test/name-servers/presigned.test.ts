import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { runTool, withoutTool } from "../support/dnssec-tools.ts";
import { freePort } from "../support/fixed-port.ts";
import { newDirectory, onEachEngine, until } from "../support/harness.ts";
import { knotConfiguration } from "../support/knot-configuration.ts";
import { nameServerProcess } from "../support/name-server-process.ts";
import { transferKey, transferSecret } from "../support/primary.ts";
import { startSecondary } from "../support/secondary.ts";

const knot = "knotd";

const zoneFile = (more = ""): string => `$TTL 300
@ IN SOA ns1.example.com. x.example.com. 1 3600 600 86400 300
@ IN NS ns1.example.com.
@ IN MX 5 Mail.example.com.
ns1 IN A 192.0.2.53
www 1 IN A 192.0.2.1
txt IN TXT "a" "b"
svc IN HTTPS 1 WWW.example.com. alpn=h2,h3 ipv4hint=192.0.2.1
machine IN HINFO "PC" "any"
other IN TYPE65280 \\# 2 0102
a\\000b IN A 192.0.2.7
*.w IN CNAME www.example.com.
*.v IN A 192.0.2.5
moved IN DNAME w.example.com.
a.deep.ent IN A 192.0.2.4
sub IN NS ns.sub.example.com.
ns.sub IN A 192.0.2.9
only.delegated IN NS ns.elsewhere.net.
safe IN NS ns.elsewhere.net.
safe IN DS 1 13 2 ${"ab".repeat(32)}
${more}
`;

/** A Knot that signs the zone example.com, and notifies the port of its changes. */
async function startSigner(t: TestContext, denial: string, secondaryPort: number) {
  const directory = newDirectory(t);
  const port = await freePort();
  const configuration = knotConfiguration({
    directory,
    port,
    zonewardPort: secondaryPort,
    key: { name: transferKey, secret: transferSecret },
    permits: "transfer",
    zones: `policy:
  - id: signing
    algorithm: ecdsap256sha256
    cds-cdnskey-publish: always
    nsec3: ${denial === "NSEC" ? "off" : "on"}
    nsec3-opt-out: ${denial === "NSEC3 with opt-out" ? "on" : "off"}
zone:
  - domain: example.com
    file: "${directory}/example.com.zone"
    acl: zoneward
    notify: zoneward
    dnssec-signing: on
    dnssec-policy: signing
    zonefile-load: difference-no-serial
    zonefile-sync: -1
    journal-content: all
`,
  });
  writeFileSync(join(directory, "knot.conf"), configuration);
  const write = (more?: string): void => writeFileSync(join(directory, "example.com.zone"), zoneFile(more));
  write();
  const engine = nameServerProcess(t, directory, knot, ["-c", "knot.conf"]);
  engine.start();
  return {
    port,
    directory,
    change: (more: string) => {
      write(more);
      engine.reload();
    },
    log: engine.log,
  };
}

const questions: readonly (readonly [question: string, verdict: string])[] = [
  ["example.com SOA", "fully validated"],
  ["example.com NS", "fully validated"],
  ["example.com DNSKEY", "fully validated"],
  ["example.com CDS", "fully validated"],
  ["www.example.com A", "fully validated"],
  ["svc.example.com HTTPS", "fully validated"],
  ["machine.example.com HINFO", "fully validated"],
  ["other.example.com TYPE65280", "fully validated"],
  ["a\\000b.example.com A", "fully validated"],
  ["x.w.example.com A", "fully validated"],
  ["x.v.example.com A", "fully validated"],
  ["x.moved.example.com A", "fully validated"],
  ["safe.example.com DS", "fully validated"],
  ["www.example.com TXT", "negative response, fully validated"],
  ["a\\000b.example.com TXT", "negative response, fully validated"],
  ["nothing.example.com A", "negative response, fully validated"],
  ["x.nothing.www.example.com A", "negative response, fully validated"],
  ["deep.ent.example.com A", "negative response, fully validated"],
  ["x.v.example.com TXT", "negative response, fully validated"],
  ["sub.example.com DS", "negative response, fully validated"],
  ["only.delegated.example.com DS", "negative response, fully validated"],
  ["delegated.example.com A", "negative response, fully validated"],
];

const isOfWildcard = /^x\.(?:v|w|moved)\./;

const tools = [knot, "delv", "kdig", "ldns-verify-zone"].map((tool) =>
  withoutTool(tool, tool === knot ? "-V" : "-h"),
);

onEachEngine("a zone that its primary signs", (on) => {
  for (const denial of ["NSEC", "NSEC3", "NSEC3 with opt-out"]) {
    test(
      `is served and transferred on as it was signed, and so are its changes, with ${denial}`,
      { skip: tools.find((missing) => missing !== false) ?? false },
      async (t) => {
        const ourPort = await freePort();
        const signer = await startSigner(t, denial, ourPort);
        const { app, zoneId } = await startSecondary(t, on, {
          port: signer.port,
          settings: { dns_listen: [`127.0.0.1:${ourPort}`] },
        });
        const at = ["@127.0.0.1", "-p", String(ourPort)];
        const says = async (question: string) =>
          (await runTool("kdig", [...at, ...question.split(" "), "+dnssec", "+retry=0"])).output;
        const untilSays = (question: string, expected: RegExp) =>
          until(`${question} is ${expected}`, async () => expected.test(await says(question)), 60).catch(
            (error: unknown) => {
              throw new Error(`${String(error)}\n${signer.log()}`);
            },
          );
        await untilSays("machine.example.com HINFO", /HINFO\s+"PC" "any"/);
        assert.doesNotMatch(await says("www.example.com A"), /RRSIG/);

        const path = `/zones/${zoneId}/dnssec`;
        const edit = async (body: object) => {
          const answer = await app.request("PATCH", path, { body });
          assert.equal(answer.status, 200, answer.text);
          return answer.body.result as Record<string, unknown>;
        };
        const turnedOn = await edit({ status: "active", dnssec_presigned: true });
        assert.deepEqual([turnedOn["status"], turnedOn["dnssec_presigned"]], ["pending", true]);
        await untilSays("www.example.com A", /RRSIG\s+A 13 /);
        const dnssec = (await app.request("GET", path)).body.result as Record<string, unknown>;
        const dnskeys = await says("example.com DNSKEY");
        const key = [dnssec["flags"], 3, dnssec["algorithm"], dnssec["public_key"]].map(String);
        assert.ok(dnskeys.replaceAll(/\s/g, "").includes(key.join("")), dnskeys);
        const anchor = join(signer.directory, "anchor");
        const quoted = [...key.slice(0, 3), `"${key[3]}"`].join(" ");
        writeFileSync(anchor, `trust-anchors { "example.com" static-key ${quoted}; };\n`);
        const validates = async (question: string, verdict: string) => {
          const options = ["-a", anchor, "+root=example.com", ...at, ...question.split(" ")];
          const { output } = await runTool("delv", options);
          assert.ok(output.includes(`; ${verdict}`), `${question}: ${output}\n${await says(question)}`);
        };
        for (const [question, verdict] of questions) {
          // With opt-out, a validator cannot tell that a wildcard stands for no name that is there (RFC 5155 section
          // 12.2).
          const isUncertain = denial === "NSEC3 with opt-out" && isOfWildcard.test(question);
          if (!isUncertain) await validates(question, verdict);
        }

        signer.change("new IN A 192.0.2.77\nb.new IN TXT new");
        await untilSays("new.example.com A", /RRSIG\s+A 13 /);
        await validates("new.example.com A", "fully validated");
        await validates("c.new.example.com A", "negative response, fully validated");

        const account = `/accounts/${app.owner.accountId}/secondary_dns`;
        const peer = await app.request("POST", `${account}/peers`, { body: { name: "us", ip: "127.0.0.1" } });
        const outgoing = `/zones/${zoneId}/secondary_dns/outgoing`;
        await app.request("POST", outgoing, {
          body: { name: "example.com", peers: [peer.body.result.id as string] },
        });
        await app.request("POST", `${outgoing}/enable`);
        await untilSays("example.com AXFR", /TYPE65280/);
        const file = join(signer.directory, "transferred");
        writeFileSync(file, (await says("example.com AXFR")).replaceAll(/^;.*$/gm, ""));
        const { code, output } = await runTool("ldns-verify-zone", [file]);
        assert.equal(code, 0, output);

        await edit({ status: "disabled" });
        await app.request("DELETE", path);
        await untilSays("example.com AXFR", /^(?!.*RRSIG)(?=.*TYPE65280)/s);
      },
    );
  }
});
