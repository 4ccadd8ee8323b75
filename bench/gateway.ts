import { withDirectory, withServers } from "./fixture.ts";
import { wireRequest } from "./load.ts";
import { startNginx, startPeer, startUndiciProxy, startZoneward, type ServerProcess } from "./process.ts";
import { median, type Finding } from "./report.ts";
import { measureInTurns, ratios, type Contestant } from "./rounds.ts";

const rounds = 5;
const requests = 20_000;
const requestsAlone = 3_000;

/** The gateway beside nginx, beside a bare proxy of undici, and beside the node that all of them pass on to. */
export async function gateway(): Promise<Finding[]> {
  return withDirectory(async (directory) =>
    withServers([() => startPeer("json-rpc")], async (node) => {
      const upstreams = [`http://127.0.0.1:${node.port}/`];
      const settings = { ZONEWARD_GATEWAY_NETWORKS: JSON.stringify([{ name: "mainnet", upstreams }]) };
      const starts = [() => startZoneward(directory, settings), () => startUndiciProxy(node.port)];
      return withServers(starts, async (zoneward, undici) => {
        const nginx = await startNginx(directory, node.port);
        if (nginx === undefined) process.stderr.write("gateway: no nginx here (NGINX names one): left out\n");
        try {
          return await compare(node, zoneward, undici, nginx);
        } finally {
          await nginx?.stop();
        }
      });
    }),
  );
}

async function compare(
  node: ServerProcess,
  zoneward: ServerProcess,
  undici: ServerProcess,
  nginx: ServerProcess | undefined,
): Promise<Finding[]> {
  const path = "/gateway/v1/mainnet";
  // No two alike, as the gateway would ask the node once for those that come at the same time.
  const balance = (n: number): Buffer =>
    wire(
      path,
      `{"jsonrpc":"2.0","id":${n},"method":"eth_getBalance","params":["0x${n.toString(16)}","latest"]}`,
    );
  const same = wire(path, '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}');
  const contestants: Readonly<Record<string, Contestant>> = {
    direct: { server: node, request: balance },
    ...(nginx !== undefined && { nginx: { server: nginx, request: balance } }),
    undici: { server: undici, request: balance },
    forwarded: { server: zoneward, request: balance },
    cached: { server: zoneward, request: () => same },
  };
  const busy = await measureInTurns(contestants, { rounds, requests, warmUp: requests });
  const alone = await measureInTurns(contestants, {
    rounds,
    requests: requestsAlone,
    warmUp: requestsAlone,
    connections: 1,
  });

  const perSecond = (name: string): number[] =>
    (busy.loads[name] ?? []).map(({ elapsedMs }) => requests / (elapsedMs / 1000));
  const p50 = (name: string): number[] =>
    (alone.loads[name] ?? []).map(({ latenciesMs }) => median(latenciesMs) * 1000);
  const added = (name: string): number[] => p50(name).map((us, round) => us - (p50("direct")[round] ?? 0));
  const cost = (name: string): readonly number[] => busy.costs[name] ?? [];
  return [
    ...(nginx === undefined
      ? []
      : ([
          {
            what: "gateway, out of the cache / nginx, 1 worker, requests a second",
            values: ratios(perSecond("cached"), perSecond("nginx")),
            unit: "x",
            budget: { least: 1.4 },
          },
          {
            what: "gateway, forwarded / nginx, 1 worker, requests a second",
            values: ratios(perSecond("forwarded"), perSecond("nginx")),
            unit: "x",
            budget: { least: 0.6 },
          },
          // An upper bound for programs of one Node thread: it answers without asking anybody, policy or metrics.
          {
            what: "the node asked directly / nginx, 1 worker, requests a second",
            values: ratios(perSecond("direct"), perSecond("nginx")),
            unit: "x",
          },
          { what: "nginx, added to the node's median at 1 connection", values: added("nginx"), unit: "us" },
        ] satisfies Finding[])),
    {
      what: "gateway, forwarded / node asked directly, requests a second",
      values: ratios(perSecond("forwarded"), perSecond("direct")),
      unit: "x",
    },
    {
      what: "gateway, forwarded, added to the node's median at 1 connection",
      values: added("forwarded"),
      unit: "us",
      budget: { most: 100 },
    },
    {
      what: "bare undici proxy / gateway, forwarded, CPU",
      values: ratios(cost("undici"), cost("forwarded")),
      unit: "x",
      budget: { least: 0.9 },
    },
    {
      what: "the node itself / gateway, out of the cache, CPU",
      values: ratios(cost("direct"), cost("cached")),
      unit: "x",
      budget: { least: 0.9 },
    },
    { what: "gateway, out of the cache, CPU", values: cost("cached"), unit: "us" },
    { what: "gateway, forwarded, CPU", values: cost("forwarded"), unit: "us" },
    { what: "bare undici proxy, CPU", values: cost("undici"), unit: "us" },
    { what: "nginx, CPU", values: cost("nginx"), unit: "us" },
    { what: "the node itself, CPU", values: cost("direct"), unit: "us" },
    { what: "gateway, answers not 2xx", values: [busy.refused], unit: "", budget: { most: 0 } },
  ];
}

function wire(path: string, body: string): Buffer {
  return Buffer.from(wireRequest("POST", path, {}, body));
}
