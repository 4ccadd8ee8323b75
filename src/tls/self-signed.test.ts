import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";

import { startOfTime } from "../../test/support/harness.ts";
import { coversHosts, hostsToCover, makeTemporarySelfSigned, openSelfSigned } from "./identity.ts";

const hosts = ["localhost", "127.0.0.1", "::1"];
const dayMs = 86_400_000;
const daysLater = (days: number): Date => new Date(startOfTime.getTime() + days * dayMs);

function newDirectory(t: TestContext): string {
  const parent = mkdtempSync(join(tmpdir(), "zoneward-test-"));
  t.after(() => rmSync(parent, { recursive: true, force: true }));
  return join(parent, "data", "tls");
}

function contentsOf(directory: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "utf8")]),
  );
}

const permissionsOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe("openSelfSigned", () => {
  test("the first start makes CA and certificate, readable by their owner alone", async (t) => {
    const directory = newDirectory(t);
    const { server, authorityFile } = await openSelfSigned(directory, hosts, startOfTime);

    assert.equal(authorityFile, join(directory, "ca.pem"));
    assert.deepEqual(readdirSync(directory).toSorted(), ["ca-key.pem", "ca.pem", "server.pem"]);
    assert.deepEqual(readdirSync(dirname(directory)), ["tls"], "nothing else is left behind");
    assert.equal(permissionsOf(dirname(directory)), "700");
    assert.equal(permissionsOf(directory), "700");
    for (const name of readdirSync(directory)) assert.equal(permissionsOf(join(directory, name)), "600");

    const authority = new X509Certificate(readFileSync(authorityFile));
    const certificate = new X509Certificate(server.certificate);
    assert.ok(certificate.verify(authority.publicKey));
    assert.ok(certificate.checkPrivateKey(createPrivateKey(server.privateKey)));
    assert.ok(coversHosts(certificate, hosts));
    assert.doesNotMatch(readFileSync(authorityFile, "utf8"), /PRIVATE KEY/);
  });

  test("the certificate lives for 825 days from an hour ago, its CA for ten years", async (t) => {
    const { server, authorityFile } = await openSelfSigned(newDirectory(t), hosts, startOfTime);
    const certificate = new X509Certificate(server.certificate);
    const authority = new X509Certificate(readFileSync(authorityFile));
    assert.deepEqual(certificate.validFromDate, new Date("2026-01-02T02:04:05Z"));
    assert.deepEqual(certificate.validToDate, new Date("2028-04-06T02:04:05Z"));
    assert.deepEqual(authority.validToDate, new Date("2035-12-31T02:04:05Z"));
  });

  test("a later start changes nothing while two thirds of the lifetime last", async (t) => {
    const directory = newDirectory(t);
    await openSelfSigned(directory, hosts, startOfTime);
    const before = contentsOf(directory);
    await openSelfSigned(directory, hosts, daysLater(549));
    assert.deepEqual(contentsOf(directory), before);
  });

  const renewals: readonly {
    readonly title: string;
    readonly at?: Date;
    readonly hosts?: readonly string[];
    readonly damage?: (directory: string) => void;
  }[] = [
    { title: "in its last third", at: daysLater(550) },
    { title: "expired", at: daysLater(1000) },
    { title: "not valid yet, as the clock was set back", at: daysLater(-1) },
    { title: "without a name to cover", hosts: [...hosts, "zoneward.example.com"] },
    { title: "without an address to cover", hosts: [...hosts, "192.0.2.1"] },
    { title: "absent", damage: (directory) => unlinkSync(join(directory, "server.pem")) },
    { title: "damaged", damage: (directory) => writeFileSync(join(directory, "server.pem"), "-----") },
    {
      title: "without its key",
      damage: (directory) => {
        const file = join(directory, "server.pem");
        const [certificate = ""] = readFileSync(file, "utf8").split("-----BEGIN PRIVATE KEY");
        writeFileSync(file, certificate);
      },
    },
  ];
  for (const renewal of renewals) {
    test(`a certificate ${renewal.title} is issued anew by the same CA`, async (t) => {
      const directory = newDirectory(t);
      await openSelfSigned(directory, hosts, startOfTime);
      const before = contentsOf(directory);
      renewal.damage?.(directory);

      const now = renewal.at ?? startOfTime;
      const { server, authorityFile } = await openSelfSigned(directory, renewal.hosts ?? hosts, now);
      const certificate = new X509Certificate(server.certificate);
      assert.ok(certificate.verify(new X509Certificate(readFileSync(authorityFile)).publicKey));
      assert.ok(coversHosts(certificate, renewal.hosts ?? hosts));
      assert.ok(certificate.validFromDate <= now && certificate.validToDate > now);

      const after = contentsOf(directory);
      assert.notEqual(after["server.pem"], before["server.pem"]);
      assert.deepEqual({ ...after, "server.pem": "" }, { ...before, "server.pem": "" });
    });
  }

  test("a certificate by another CA is issued anew", async (t) => {
    const [directory, other] = [newDirectory(t), newDirectory(t)];
    await openSelfSigned(directory, hosts, startOfTime);
    await openSelfSigned(other, hosts, startOfTime);
    writeFileSync(join(directory, "server.pem"), readFileSync(join(other, "server.pem")));

    const { server, authorityFile } = await openSelfSigned(directory, hosts, startOfTime);
    const authority = new X509Certificate(readFileSync(authorityFile));
    assert.ok(new X509Certificate(server.certificate).verify(authority.publicKey));
  });

  test("a certificate never outlives its CA", async (t) => {
    const directory = newDirectory(t);
    const { authorityFile } = await openSelfSigned(directory, hosts, startOfTime);
    const { server } = await openSelfSigned(directory, hosts, daysLater(3600));
    const authority = new X509Certificate(readFileSync(authorityFile));
    assert.deepEqual(new X509Certificate(server.certificate).validToDate, authority.validToDate);
  });

  const refusals: readonly {
    readonly title: string;
    readonly says: RegExp;
    readonly at?: Date;
    readonly damage?: (directory: string) => void;
  }[] = [
    { title: "has expired", says: /expired on Dec 31 02:04:05 2035 GMT/, at: daysLater(3651) },
    {
      title: "has lost its key",
      says: /ca-key\.pem/,
      damage: (directory) => unlinkSync(join(directory, "ca-key.pem")),
    },
    {
      title: "has lost its certificate",
      says: /ca\.pem/,
      damage: (directory) => unlinkSync(join(directory, "ca.pem")),
    },
    {
      title: "has the key of another",
      says: /the key is not that of the certificate/,
      damage: (directory) => {
        const [, key = ""] = readFileSync(join(directory, "server.pem"), "utf8").split(
          /(?=-----BEGIN PRIVATE)/,
        );
        writeFileSync(join(directory, "ca-key.pem"), key);
      },
    },
  ];
  for (const { title, says, at, damage } of refusals) {
    test(`a CA that ${title} is refused and stays as it is: clients trust it, not another`, async (t) => {
      const directory = newDirectory(t);
      await openSelfSigned(directory, hosts, startOfTime);
      damage?.(directory);
      const before = contentsOf(directory);

      await assert.rejects(openSelfSigned(directory, hosts, at ?? startOfTime), (error: Error) => {
        assert.match(error.message, says);
        assert.match(error.message, /^the local CA in \S+tls cannot be used: .*; restore the directory/);
        return true;
      });
      assert.deepEqual(contentsOf(directory), before);
      assert.deepEqual(readdirSync(dirname(directory)), ["tls"]);
    });
  }

  test("starts that make a CA at the same time agree on one", async (t) => {
    const directory = newDirectory(t);
    const starts = Array.from({ length: 8 }, () => openSelfSigned(directory, hosts, startOfTime));
    const opened = await Promise.all(starts);
    const authority = new X509Certificate(readFileSync(join(directory, "ca.pem")));
    for (const { server } of opened)
      assert.ok(new X509Certificate(server.certificate).verify(authority.publicKey));
    assert.deepEqual(readdirSync(dirname(directory)), ["tls"]);
    assert.deepEqual(readdirSync(directory).toSorted(), ["ca-key.pem", "ca.pem", "server.pem"]);
  });
});

describe("makeTemporarySelfSigned", () => {
  test("no private key touches the disk, and nothing is left in the end", async () => {
    const { server, authorityFile, discard } = await makeTemporarySelfSigned(hosts, startOfTime);
    const directory = dirname(authorityFile);
    assert.deepEqual(readdirSync(directory), ["ca.pem"]);
    const text = readFileSync(authorityFile, "utf8");
    assert.doesNotMatch(text, /PRIVATE KEY/);
    assert.ok(new X509Certificate(server.certificate).verify(new X509Certificate(text).publicKey));
    discard();
    assert.ok(!existsSync(directory));
  });
});

describe("hostsToCover", () => {
  const cases: readonly (readonly [host: string, more: readonly string[]])[] = [
    ["127.0.0.1", []],
    ["localhost", []],
    ["192.0.2.1", ["192.0.2.1"]],
    ["2001:db8::1", ["2001:db8::1"]],
    ["fe80::1%eth0", ["fe80::1"]],
    ["Zoneward.Example.COM", ["zoneward.example.com"]],
    ["zone.bücher.example", ["zone.xn--bcher-kva.example"]],
    ["not a host", []],
  ];
  for (const [host, more] of cases) {
    test(`listening on ${host} covers the loopback${more.map((name) => ` and ${name}`).join("")}`, () => {
      assert.deepEqual(hostsToCover(host), ["localhost", "127.0.0.1", "::1", ...more]);
    });
  }

  test("listening on every address covers the machine's name and addresses too", async () => {
    for (const host of ["0.0.0.0", "::"]) {
      const covered = hostsToCover(host);
      assert.deepEqual(covered.slice(0, 4), ["localhost", "127.0.0.1", "::1", host]);
      assert.equal(new Set(covered).size, covered.length);
      const { server, discard } = await makeTemporarySelfSigned(covered, startOfTime);
      assert.ok(coversHosts(new X509Certificate(server.certificate), covered));
      discard();
    }
  });
});
