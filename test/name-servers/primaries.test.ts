import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { createDnsClient } from "../support/dns-client.ts";
import { freePort } from "../support/fixed-port.ts";
import { newDirectory, until } from "../support/harness.ts";
import { knotConfiguration } from "../support/knot-configuration.ts";
import { nameServerProcess } from "../support/name-server-process.ts";
import { transferKey, transferSecret } from "../support/primary.ts";
import { startSecondary } from "../support/secondary.ts";

interface Ports {
  readonly primary: number;
  readonly secondary: number;
}

/** A name server of others with the zone example.com, of which it notifies us. */
interface PrimaryEngine {
  readonly command: string;
  readonly file: string;
  readonly configure: (directory: string, ports: Ports) => string;
  readonly args: readonly string[];
}

const engines: Readonly<Record<string, PrimaryEngine>> = {
  knot: {
    command: "knotd",
    file: "knot.conf",
    args: ["-c", "knot.conf"],
    configure: (directory, { primary, secondary }) =>
      knotConfiguration({
        directory,
        port: primary,
        zonewardPort: secondary,
        key: { name: transferKey, secret: transferSecret },
        permits: "transfer",
        zones: `zone:
  - domain: example.com
    file: "${directory}/example.com.zone"
    acl: zoneward
    notify: zoneward
    zonefile-load: difference
    zonefile-sync: -1
    journal-content: changes
`,
      }),
  },
  bind: {
    command: "named",
    file: "named.conf",
    args: ["-g", "-n", "1", "-c", "named.conf"],
    configure: (directory, { primary, secondary }) => `
key "${transferKey}." { algorithm hmac-sha256; secret "${transferSecret}"; };
options {
  directory "${directory}"; pid-file "named.pid"; session-keyfile "session.key";
  listen-on port ${primary} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; dnssec-validation no; notify-delay 0;
};
controls {};
zone "example.com" { type primary; file "example.com.zone"; ixfr-from-differences yes;
  allow-transfer { key "${transferKey}."; };
  notify explicit; also-notify { 127.0.0.1 port ${secondary} key "${transferKey}."; }; };
`,
  },
};

const records = [
  'caa.example.com 300 CAA 0 issue "ca.example"',
  "*.w.example.com 300 CNAME www.example.com",
  "example.com 300 MX mail.example.com",
  "example.com 300 NS ns1.example.com",
  "ns.sub.example.com 300 A 192.0.2.9",
  "ns1.example.com 300 A 192.0.2.53",
  "sub.example.com 300 NS ns.sub.example.com",
  'svc.example.com 300 HTTPS 1 . alpn="h2,h3" ipv4hint="192.0.2.1"',
  'txt.example.com 300 TXT "a" "b"',
  "www.example.com 300 A 192.0.2.1",
];

const zoneFile = (serial: number, more = ""): string => `$TTL 300
@ IN SOA ns1.example.com. x.example.com. ${serial} 3600 600 86400 300
@ IN NS ns1.example.com.
@ IN MX 5 mail.example.com.
ns1 IN A 192.0.2.53
www IN A 192.0.2.1
txt IN TXT "a" "b"
svc IN HTTPS 1 . alpn=h2,h3 ipv4hint=192.0.2.1
caa IN CAA 0 issue "ca.example"
*.w IN CNAME www.example.com.
sub IN NS ns.sub.example.com.
ns.sub IN A 192.0.2.9
${more}
`;

describe("a primary server of others", () => {
  for (const [name, { command, file, args, configure }] of Object.entries(engines)) {
    const skip = spawnSync(command, ["-V"]).error === undefined ? false : `${command} is not installed`;
    test(`${name} has its zone copied, and its changes followed once it notifies`, { skip }, async (t) => {
      const directory = newDirectory(t);
      const ports = { primary: await freePort(), secondary: await freePort() };
      writeFileSync(join(directory, file), configure(directory, ports));
      writeFileSync(join(directory, "example.com.zone"), zoneFile(1));
      const engine = nameServerProcess(t, directory, command, args);
      engine.start();
      const client = await createDnsClient(t, `127.0.0.1:${ports.primary}`);
      await until(
        "it answers",
        async () => (await client.linesIfAnswered("example.com", "SOA")).length === 2,
        60,
      );
      const secondary = await startSecondary(t, "sqlite", {
        port: ports.primary,
        settings: { dns_listen: [`127.0.0.1:${ports.secondary}`] },
      });
      const serial = async (): Promise<number> => (await secondary.state()).soa_serial;
      await until("the zone has been copied", async () => (await serial()) === 1, 60);
      assert.deepEqual(await secondary.records(), records.toSorted());
      const changedFile = join(directory, "example.com.zone");
      writeFileSync(changedFile, zoneFile(2, "new IN A 192.0.2.77"));
      // BIND reads no file that is not younger than its zone.
      const later = new Date(Date.now() + 10_000);
      utimesSync(changedFile, later, later);
      engine.reload();
      await until("the change has been followed", async () => (await serial()) === 2, 60);
      assert.deepEqual(
        await secondary.records(),
        [...records, "new.example.com 300 A 192.0.2.77"].toSorted(),
      );
      assert.match(engine.log(), /IXFR/, engine.log());
    });
  }
});
