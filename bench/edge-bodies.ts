import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type ClientHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { managedRules, prepareZone } from "./edge.ts";
import { call, withDirectory, withServers } from "./fixture.ts";
import { freePort, memoryMegabytes, startZoneward, type ServerProcess } from "./process.ts";
import type { Finding } from "./report.ts";

const bodies = 1_000;
const bodyBytes = 128 * 1024;
const streamsOfConnection = 100;
const host = "www.slow.example";
const pollMs = 100;

const firewall = {
  "no rules": {},
  "a rule that reads the body": {
    http_request_firewall_custom: [
      { action: "block", expression: 'http.request.body.raw contains "evil"', enabled: true },
    ],
  },
  "the managed rulesets": { http_request_firewall_managed: managedRules },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly object[]>>>>;

/**
 * The memory of the edge for bodies that it has judged while their origin does not answer, over few connections of
 * HTTP/2.
 */
export async function edgeBodies(): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [what, rules] of Object.entries(firewall)) {
    const megabytes = await withDirectory((directory) => measure(directory, rules));
    findings.push({
      what: `${bodies} bodies of 128 KiB at a slow origin, ${what}, resident memory beyond the start`,
      values: [megabytes],
      unit: "MB",
    });
  }
  return findings;
}

async function measure(
  directory: string,
  rules: Readonly<Record<string, readonly object[]>>,
): Promise<number> {
  const waiting: ServerResponse[] = [];
  const origin = createServer((request, response) => {
    request.resume().on("end", () => (request.method === "POST" ? waiting.push(response) : response.end()));
  }).listen(0, "127.0.0.1");
  await once(origin, "listening");
  const [http, https] = [await freePort(), await freePort()];
  const settings = {
    ZONEWARD_EDGE_HTTP: `127.0.0.1:${http}`,
    ZONEWARD_EDGE_HTTPS: `127.0.0.1:${https}`,
  };
  const sessions: ClientHttp2Session[] = [];
  try {
    return await withServers([() => startZoneward(join(directory, "data"), settings)], async (server) => {
      await prepareSlowZone(server, (origin.address() as AddressInfo).port, rules);
      await untilServed(https);
      const before = memoryMegabytes(server.pid).now;
      const body = Buffer.alloc(bodyBytes, "name=value&");
      while (waiting.length < bodies) {
        const session = openSession(https);
        sessions.push(session);
        const wanted = Math.min(bodies, waiting.length + streamsOfConnection);
        for (let n = waiting.length; n < wanted; n += 1) {
          const post = { ":path": "/", ":method": "POST", ":authority": host };
          session
            .request({ ...post, "content-type": "application/x-www-form-urlencoded" })
            .on("error", () => undefined)
            .end(body);
        }
        while (waiting.length < wanted) await delay(pollMs);
      }
      return memoryMegabytes(server.pid).now - before;
    });
  } finally {
    for (const session of sessions) session.destroy();
    origin.closeAllConnections();
    origin.close();
  }
}

async function prepareSlowZone(
  server: ServerProcess,
  port: number,
  phases: Readonly<Record<string, readonly object[]>>,
): Promise<void> {
  const path = `/zones/${await prepareZone(server, "slow.example", port, 0)}`;
  await call(server, "PATCH", `${path}/settings/ssl`, { value: "flexible" });
  for (const [phase, rules] of Object.entries(phases))
    await call(server, "PUT", `${path}/rulesets/phases/${phase}/entrypoint`, { rules });
}

function openSession(port: number): ClientHttp2Session {
  return connect(`https://127.0.0.1:${port}`, { servername: host, rejectUnauthorized: false }).on(
    "error",
    () => undefined,
  );
}

/** The certificate is issued a little after the zone was made. */
async function untilServed(port: number): Promise<void> {
  for (;;) {
    const session = openSession(port);
    const asked = session.request({ ":path": "/", ":authority": host }).resume();
    const isServed = await Promise.race([
      once(asked, "response").then(
        ([headers]) => (headers as { readonly ":status": number })[":status"] === 200,
        () => false,
      ),
      delay(1_000, false),
    ]);
    session.destroy();
    if (isServed) return;
    await delay(pollMs);
  }
}
