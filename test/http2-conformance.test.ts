import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import type { CertifiedKey } from "../src/tls/local-ca.ts";
import { certifiedKeys } from "./support/certificates.ts";
import { startEdgeApp, startOrigin } from "./support/edge-app.ts";
import { serveHttps } from "./support/http2-visitor.ts";
import { temporaryDirectory } from "./support/tls-app.ts";

const h2spec = process.env["H2SPEC"] ?? "h2spec";
const host = "www.example.com";
const isThere = [h2spec, "unshare"].every((program) => spawnSync(program, ["--version"]).error === undefined);

/**
 * The cases that a server fails. `h2spec` sees a file of hosts of its own, in which the name of the zone leads to
 * loopback.
 */
async function failedCases(t: TestContext, port: number): Promise<string[]> {
  const directory = temporaryDirectory(t);
  const [hosts, report] = [join(directory, "hosts"), join(directory, "report.xml")];
  writeFileSync(hosts, `127.0.0.1 localhost ${host}\n`);
  const command = 'mount --bind "$0" /etc/hosts && exec "$@"';
  const args = ["-t", "-k", "-h", host, "-p", String(port), "-j", report];
  await new Promise<void>((resolve) => {
    // Ends with 1 where a case fails.
    execFile("unshare", ["-rm", "sh", "-c", command, hosts, h2spec, ...args], () => resolve());
  });
  const cases = readFileSync(report, "utf8").matchAll(
    /<testcase package="([^"]*)" classname="([^"]*)"[^>]*>\s*<(\w+)/g,
  );
  return Array.from(cases).flatMap(([, section, title, result]) =>
    result === "failure" || result === "error" ? [`${section}: ${title}`] : [],
  );
}

test(
  "the edge fails no case of h2spec that node:http2 passes",
  {
    skip: isThere ? false : "h2spec or unshare is not there",
  },
  async (t) => {
    const edge = await startEdgeApp(
      t,
      "sqlite",
      await startOrigin(t, (request, response) => {
        request.resume();
        response.end("hello");
      }),
    );
    await serveHttps(edge);
    const [pack] = (await edge.app.request("GET", `/zones/${edge.zoneId}/ssl/certificate_packs`)).body
      .result as [{ id: string }];
    const [{ certificate: cert, privateKey: key }] = Object.values(
      await certifiedKeys(edge.app, pack.id),
    ) as [CertifiedKey];
    const bare = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
      request.resume();
      response.end("hello");
    });
    bare.on("sessionError", () => undefined);
    bare.listen(0, "127.0.0.1");
    t.after(() => bare.close());
    await once(bare, "listening");
    const failsBare = await failedCases(t, (bare.address() as AddressInfo).port);
    const failsAtEdge = await failedCases(t, edge.securePort);
    t.diagnostic(`node:http2 fails ${failsBare.length} cases, the edge ${failsAtEdge.length}`);
    assert.deepEqual(
      failsAtEdge.filter((one) => !failsBare.includes(one)),
      [],
    );
  },
);
