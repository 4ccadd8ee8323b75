import { join } from "node:path";

import { call, createZone, withDirectory, withServers } from "./fixture.ts";
import { sendRequests } from "./load.ts";
import {
  freePort,
  startNginx,
  startPeer,
  startUndiciProxy,
  startZoneward,
  threadCpuMicroseconds,
  type ServerProcess,
} from "./process.ts";
import type { Finding } from "./report.ts";
import { measureInTurns, ratios, type Contestant } from "./rounds.ts";

const rounds = 5;
const requests = 10_000;
const rulesOfZone = 20;

export async function edge(): Promise<Finding[]> {
  return [...(await forwarding()), ...(await threads())];
}

/** Enough for the system to deal them out evenly. */
const connections = 256;

/** CPU of the busiest of two threads, which a second core would leave the first one. */
async function threads(): Promise<Finding[]> {
  return withDirectory(async (directory) =>
    withServers([() => startPeer("empty")], async (origin) => {
      const ports = [await freePort(), await freePort()] as const;
      const startWith = (workers: 1 | 2) =>
        startZoneward(join(directory, String(workers)), {
          ZONEWARD_EDGE_HTTP: `127.0.0.1:${ports[workers - 1]}`,
          ZONEWARD_EDGE_WORKERS: String(workers),
        });
      return withServers([() => startWith(1), () => startWith(2)], async (...edges) => {
        const busiest: number[][] = [[], []];
        const second: number[] = [];
        for (const zoneward of edges) await prepareZone(zoneward, "plain.example", origin.port, 0);
        for (let round = -1; round < rounds; round += 1) {
          for (const [at, { pid }] of edges.entries()) {
            const port = ports[at] ?? 0;
            await untilServed(port, "www.plain.example");
            const before = threadCpuMicroseconds(pid);
            await sendRequests({ port, connections, requests, request: visitTo("www.plain.example") });
            const grown = Array.from(
              threadCpuMicroseconds(pid),
              ([id, cpu]) => cpu - (before.get(id) ?? 0),
            ).toSorted((one, other) => other - one);
            const [most = 0, next = 0] = grown;
            // The first round warms up.
            if (round < 0) continue;
            busiest[at]?.push(most / requests);
            if (at === 1) second.push((most + next) / next);
          }
        }
        const [one = [], two = []] = busiest;
        return [
          {
            what: "edge, one thread / busiest of two (`edge_workers`), CPU a request",
            values: ratios(one, two),
            unit: "x",
            budget: { least: 1.8 },
          },
          { what: "edge, both threads / the less busy of them, CPU", values: second, unit: "x" },
        ] satisfies Finding[];
      });
    }),
  );
}

/** CPU of a request that is forwarded: by the edge, by nginx, and by undici behind `node:http`. */
async function forwarding(): Promise<Finding[]> {
  return withDirectory(async (directory) =>
    withServers([() => startPeer("empty")], async (origin) => {
      const port = await freePort();
      const settings = { ZONEWARD_EDGE_HTTP: `127.0.0.1:${port}` };
      return withServers(
        [
          () => startZoneward(directory, settings),
          () => startUndiciProxy(origin.port),
          () => startUndiciProxy(origin.port, "same"),
        ],
        async (zoneward, undici, same) => {
          await prepareZone(zoneward, "plain.example", origin.port, 0);
          await prepareZone(zoneward, "ruled.example", origin.port, rulesOfZone);
          const nginx = await startNginx(directory, origin.port);
          if (nginx === undefined) process.stderr.write("edge: no nginx here (NGINX names one): left out\n");
          const edgeServer = { pid: zoneward.pid, port };
          await untilServed(port, "www.ruled.example");
          try {
            return await compare({
              ...(nginx !== undefined && { nginx: { server: nginx, request: visitTo("127.0.0.1") } }),
              undici: { server: undici, request: visitTo("127.0.0.1") },
              same: { server: same, request: visitTo("127.0.0.1") },
              plain: { server: edgeServer, request: visitTo("www.plain.example") },
              ruled: { server: edgeServer, request: visitTo("www.ruled.example") },
            });
          } finally {
            await nginx?.stop();
          }
        },
      );
    }),
  );
}

async function compare(contestants: Readonly<Record<string, Contestant>>): Promise<Finding[]> {
  const { costs, refused } = await measureInTurns(contestants, { rounds, requests, warmUp: requests });
  const cost = (name: string): readonly number[] => costs[name] ?? [];
  return [
    ...Object.keys(contestants).map((name): Finding => ({
      what: `edge, ${name}, CPU a request`,
      values: cost(name),
      unit: "us",
    })),
    {
      what: "edge, bare undici proxy that sends the same headers / no rules, CPU",
      values: ratios(cost("same"), cost("plain")),
      unit: "x",
      budget: { least: 0.9 },
    },
    {
      what: "edge, bare undici proxy / no rules, CPU",
      values: ratios(cost("undici"), cost("plain")),
      unit: "x",
      budget: { least: 0.75 },
    },
    {
      what: `edge, ${rulesOfZone} custom rules, CPU beyond none`,
      values: cost("ruled").map((us, round) => us - (cost("plain")[round] ?? Number.NaN)),
      unit: "us",
      budget: { most: 10 },
    },
    { what: "edge, answers not 2xx", values: [refused], unit: "", budget: { most: 0 } },
  ];
}

/** A request as a browser sends it. */
export function visitTo(host: string): () => Buffer {
  const text = Buffer.from(
    `GET /articles/2026/a-title?page=2&sort=date HTTP/1.1\r\nhost: ${host}\r\nuser-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36\r\naccept: text/html,application/xhtml+xml\r\naccept-language: en-GB,en;q=0.9\r\naccept-encoding: gzip, deflate, br\r\ncookie: session=0123456789abcdef; theme=dark\r\n\r\n`,
  );
  return () => text;
}

/** Rules that execute the managed rulesets. */
export const managedRules = ["efb7b8c949ac4650a09736fc376e9aee", "4814384a9e5d4991b9815dcfc25d2f1f"].map(
  (id) => ({ action: "execute", expression: "true", action_parameters: { id } }),
);

/** Rules as zones have them, none of which stops the requests above. */
export function customRules(
  count: number,
): readonly { readonly action: string; readonly expression: string }[] {
  const forms = [
    (n: number) =>
      `http.request.uri.path contains "/admin-${n}" and not ip.src in {192.0.2.0/24 198.51.100.${n % 256}}`,
    (n: number) => `lower(http.user_agent) contains "scanner-${n}"`,
    (n: number) =>
      `http.request.method in {"PUT" "DELETE"} and starts_with(http.request.uri.path, "/v${n}/")`,
    (n: number) => `http.cookie contains "blocked-${n}=" or http.referer eq "https://spam-${n}.example/"`,
    (n: number) => `any(http.request.headers["x-probe-${n}"][*] eq "1")`,
  ];
  return Array.from({ length: count }, (_, n) => ({
    action: "block",
    expression: forms[n % forms.length]?.(n) ?? "false",
  }));
}

/** An active zone whose `www` leads to a port of loopback. */
export async function prepareZone(
  zoneward: ServerProcess,
  name: string,
  originPort: number,
  rules: number,
  accountId?: string,
): Promise<string> {
  const zoneId = await createZone(zoneward, name, accountId);
  const path = `/zones/${zoneId}`;
  await call(zoneward, "POST", `${path}/dns_records`, {
    type: "A",
    name: "www",
    content: "127.0.0.1",
    proxied: true,
  });
  await call(zoneward, "PUT", `${path}/rulesets/phases/http_request_origin/entrypoint`, {
    rules: [{ action: "route", expression: "true", action_parameters: { origin: { port: originPort } } }],
  });
  if (rules > 0) {
    await call(zoneward, "PUT", `${path}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
      rules: customRules(rules),
    });
  }
  await call(zoneward, "PUT", `${path}/activation_check`);
  return zoneId;
}

export async function untilServed(port: number, host: string): Promise<void> {
  const ask = () => sendRequests({ port, connections: 1, requests: 1, request: visitTo(host) });
  while ((await ask()).refused > 0);
}
