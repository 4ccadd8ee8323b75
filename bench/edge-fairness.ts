import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { managedRules, prepareZone, untilServed } from "./edge.ts";
import { call, withDirectory, withServers } from "./fixture.ts";
import { longestTurn, measuringTurns } from "./longest-turn.ts";
import { freePort, memoryMegabytes, startZoneward, type ServerProcess } from "./process.ts";
import type { Finding } from "./report.ts";

const turnMsMax = 50;
const host = "www.hostile.example";
const bodyOctets = 128 * 1024;
const names = 10_000;
const atOnce = 50;
const pollMs = 20;
const custom = "http_request_firewall_custom";
const blocking = (expression: string) => ({ action: "block", expression, enabled: true });

interface Work {
  readonly rules?: Readonly<Record<string, readonly object[]>>;
  readonly send: (places: { readonly server: ServerProcess; readonly edge: number }) => Promise<unknown>;
}

/** Octets `a` and `b` without order, so that each begins with another state of an automaton. */
function disorder(): Buffer {
  const octets = createHash("shake256", { outputLength: bodyOctets }).update("disorder").digest();
  return Buffer.from(octets.map((octet) => (octet & 1 ? 97 : 98)));
}

const works: Readonly<Record<string, Work>> = {
  "40 regular expressions on a body of 128 KiB": {
    rules: {
      [custom]: Array.from({ length: 40 }, (_, n) =>
        blocking(`http.request.body.raw matches "a.{${200 + n}}[n-z]"`),
      ),
    },
    send: ({ edge }) => visit(edge, { body: disorder() }),
  },
  "40 look-ups in JSON of 128 KiB": {
    rules: {
      [custom]: Array.from({ length: 40 }, (_, n) =>
        blocking(`lookup_json_string(http.request.body.raw, "k${n}") eq "evil"`),
      ),
    },
    send: ({ edge }) => visit(edge, { body: Buffer.from(`{"list":[${"1,".repeat(65_000)}1]}`) }),
  },
  "128 KiB of octets beyond ASCII, the managed rulesets": {
    rules: { http_request_firewall_managed: managedRules },
    send: ({ edge }) => visit(edge, { body: Buffer.alloc(bodyOctets, 0xe9) }),
  },
  "20 regular expressions of 3,500 parts on a long path": {
    rules: {
      [custom]: Array.from({ length: 20 }, (_, n) =>
        blocking(`http.request.uri.path matches "a.{${700 + n}}[n-z]"`),
      ),
    },
    send: ({ edge }) => visit(edge, { path: `/${disorder().toString("latin1", 0, 8_000)}` }),
  },
  "10,000 names below a wildcard": {
    send: async ({ edge }) => {
      for (let name = 0; name < names; name += atOnce)
        await Promise.all(
          Array.from({ length: atOnce }, (_, n) => visit(edge, { host: `${name + n}.hostile.example` })),
        );
    },
  },
  "eth_call with a loop without end": {
    send: ({ server }) =>
      fetch(`http://127.0.0.1:${server.port}/gateway/v1/sepolia`, {
        method: "POST",
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "eth_call",
          params: [{ data: "0x5b600056" }, "latest"],
        }),
      }).then((response) => response.text()),
  },
};

/**
 * The longest turn of the event loop, and the memory, while visitors of the edge and callers of the gateway do their
 * worst.
 */
export async function edgeFairness(): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [what, work] of Object.entries(works))
    findings.push(...(await withDirectory((directory) => measured(directory, what, work))));
  return findings;
}

async function measured(directory: string, what: string, { rules = {}, send }: Work): Promise<Finding[]> {
  const origin = createServer((asked, response) => void asked.resume().on("end", () => response.end()));
  origin.listen(0, "127.0.0.1");
  await once(origin, "listening");
  const edge = await freePort();
  const turnsFile = join(directory, "turns");
  const settings = { ...measuringTurns(turnsFile), ZONEWARD_EDGE_HTTP: `127.0.0.1:${edge}` };
  try {
    return await withServers([() => startZoneward(join(directory, "data"), settings)], async (server) => {
      const { port } = origin.address() as AddressInfo;
      const path = `/zones/${await prepareZone(server, "hostile.example", port, 0)}`;
      await call(server, "POST", `${path}/dns_records`, {
        type: "A",
        name: "*",
        content: "127.0.0.1",
        proxied: true,
      });
      const { [custom]: customRules = [], ...others } = rules;
      const all = { ...others, [custom]: [...customRules, blocking('http.request.uri.path eq "/ready"')] };
      for (const [phase, ofPhase] of Object.entries(all))
        await call(server, "PUT", `${path}/rulesets/phases/${phase}/entrypoint`, { rules: ofPhase });
      await untilServed(edge, host);
      while ((await visit(edge, { path: "/ready" })) !== 403) await delay(pollMs);
      const before = memoryMegabytes(server.pid).now;
      await longestTurn(server, turnsFile);
      const began = performance.now();
      await send({ server, edge });
      const elapsedMs = performance.now() - began;
      return [
        {
          what: `${what}, longest turn`,
          values: [await longestTurn(server, turnsFile)],
          unit: "ms",
          budget: { most: turnMsMax },
        },
        { what: `${what}, answered after`, values: [elapsedMs], unit: "ms" },
        {
          what: `${what}, resident memory beyond the start`,
          values: [memoryMegabytes(server.pid).highest - before],
          unit: "MB",
        },
      ];
    });
  } finally {
    origin.closeAllConnections();
    origin.close();
  }
}

function visit(
  port: number,
  {
    path = "/",
    host: name = host,
    body,
  }: { readonly path?: string; readonly host?: string; readonly body?: Buffer },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const asked = request({ host: "127.0.0.1", port, path, method, headers: { host: name } });
    asked.on("error", reject);
    asked.on("response", (response: IncomingMessage) =>
      response.resume().on("end", () => resolve(response.statusCode ?? 0)),
    );
    asked.end(body);
  });
}
