import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { test, type TestContext } from "node:test";

import { createDnsClient } from "./support/dns-client.ts";
import { routeTo } from "./support/edge-app.ts";
import { freePort } from "./support/fixed-port.ts";
import { byToken, newDirectory, newSecretKeyFile, until } from "./support/harness.ts";
import { nameServerEngines, prepareEngine, withoutEngine } from "./support/name-server-engines.ts";
import { createDatabase, startPostgres } from "./support/postgres.ts";
import { transferKey, transferSecret } from "./support/primary.ts";
import { proxyEngines, startProxy, withoutProxy } from "./support/proxy-engines.ts";
import { ownerFlags, spawnEdge, spawnServer } from "./support/spawned-server.ts";

const { nginx } = proxyEngines;
const { knot } = nameServerEngines;
const skip = withoutProxy(nginx) || withoutEngine(knot);

/** The status of the answer to a visitor, and its ray id. */
function visit(port: number, path: string): Promise<{ readonly status: number; readonly ray: string }> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, agent: false, headers: { host: "www.example.com" } };
    const sent = request(options, (response) => {
      response.resume();
      const ray = String(response.headers["cf-ray"]).split("-", 1)[0] ?? "";
      response.on("end", () => resolve({ status: response.statusCode ?? 0, ray })).on("error", reject);
    });
    sent.on("error", reject).end();
  });
}

/** Visitors who come one after the other until they are stopped; each has to be answered. */
function keepVisiting(port: number) {
  const stopped = new AbortController();
  const statuses = new Map<number, number>();
  const visiting = (async () => {
    while (!stopped.signal.aborted) {
      const { status } = await visit(port, "/");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  })();
  visiting.catch(() => undefined);
  return async () => {
    stopped.abort();
    await visiting;
    return statuses;
  };
}

/** A program that can be stopped, and started on the same port. */
async function startProgram(t: TestContext) {
  const port = await freePort();
  let server = createServer();
  const start = async () => {
    server = createServer((_request, response) => void response.end("of the program")).listen(
      port,
      "127.0.0.1",
    );
    await once(server, "listening");
  };
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  await start();
  t.after(() => stop());
  return { port, start, stop };
}

/** Starts the services of deploy/compose.yaml, without containers. */
async function startAll(t: TestContext) {
  const postgres = await startPostgres();
  t.after(postgres.stop);
  const flags = [
    `--database=${await createDatabase(postgres.url, "topology")}`,
    `--secret-key-file=${newSecretKeyFile(newDirectory(t))}`,
    "--edge-origin-networks=127.0.0.0/8",
    "--trusted-proxies=127.0.0.1",
  ];
  const dnsPort = await freePort();
  const startControl = (dns: number) =>
    spawnServer(t, [...flags, ...ownerFlags, `--data=${newDirectory(t)}`, `--dns-listen=127.0.0.1:${dns}`]);
  const doomedControl = await startControl(await freePort());
  const control = await startControl(dnsPort);
  const startEdge = () => spawnEdge(t, [...flags, `--data=${newDirectory(t)}`, "--edge-http=127.0.0.1:0"]);
  const doomedEdge = await startEdge();
  const edge = await startEdge();
  const [apiPort, visitorPort] = [await freePort(), await freePort()];
  const addresses: Readonly<Record<string, string>> = {
    "172.28.0.11:8787": new URL(doomedControl.baseUrl).host,
    "172.28.0.12:8787": new URL(control.baseUrl).host,
    "172.28.0.21:8080": doomedEdge.httpAddress,
    "172.28.0.22:8080": edge.httpAddress,
    "listen 8787": `listen 127.0.0.1:${apiPort}`,
    "listen 8080": `listen 127.0.0.1:${visitorPort}`,
  };
  const configuration = Object.entries(addresses).reduce(
    (text, [written, used]) => text.replace(written, used),
    readFileSync("deploy/nginx/http.conf", "utf8"),
  );
  await startProxy(t, nginx, configuration, visitorPort);
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  const ask = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await fetch(`http://127.0.0.1:${apiPort}/client/v4${path}`, {
      method,
      headers: { ...byToken, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    const read = JSON.parse(text);
    return read.result ?? read.data;
  };
  return { postgres, doomedControl, doomedEdge, dnsPort, visitorPort, ask };
}

test(
  "a zone goes from its creation to a blocked request and its event while one of each kind is killed",
  { skip },
  async (t) => {
    const { postgres, doomedControl, doomedEdge, dnsPort, visitorPort, ask } = await startAll(t);
    const program = await startProgram(t);
    const untilVisit = async (path: string, status: number): Promise<string> => {
      let last = { status: 0, ray: "" };
      await until(`${path} is answered ${status}, not ${last.status}`, async () => {
        last = await visit(visitorPort, path);
        return last.status === status;
      });
      return last.ray;
    };

    const [account] = await ask("GET", "/accounts");
    const zone = await ask("POST", "/zones", { name: "example.com", account: { id: account.id } });
    await ask("PUT", `/zones/${zone.id}/activation_check`);
    const record = { type: "A", name: "www", content: "127.0.0.1", proxied: true };
    await ask("POST", `/zones/${zone.id}/dns_records`, record);
    const rules = (phase: string, list: object[]) =>
      ask("PUT", `/zones/${zone.id}/rulesets/phases/${phase}/entrypoint`, { rules: list });
    await rules("http_request_origin", [routeTo(program.port)]);

    const secondaryDns = `/accounts/${account.id}/secondary_dns`;
    const algo = "hmac-sha256.";
    const key = await ask("POST", `${secondaryDns}/tsigs`, {
      name: `${transferKey}.`,
      algo,
      secret: transferSecret,
    });
    const port = await freePort();
    const target = { name: "knot", ip: "127.0.0.1", port, tsig_id: key.id };
    const peer = await ask("POST", `${secondaryDns}/peers`, target);
    const outgoing = `/zones/${zone.id}/secondary_dns/outgoing`;
    await ask("POST", outgoing, { name: "example.com", peers: [peer.id] });
    await ask("POST", `${outgoing}/enable`);
    const nameServer = prepareEngine(t, knot, port, {
      primaryPort: String(dnsPort),
      catalog: `${peer.id}.catalog.invalid`,
      keyName: transferKey,
      secret: transferSecret,
    });
    const untilResolved = async (name: string): Promise<void> => {
      const client = await createDnsClient(t, `127.0.0.1:${port}`);
      const answered = (): Promise<string[]> =>
        Promise.race([
          client.lines(name).catch((): string[] => []),
          new Promise<string[]>((resolve) => void setTimeout(() => resolve([]), 500).unref()),
        ]);
      await until(`${name} is known to Knot`, async () => (await answered()).length > 1);
    };
    nameServer.start();
    await untilResolved("www.example.com");
    await untilVisit("/", 200);

    const stop = keepVisiting(visitorPort);
    await doomedControl.end("SIGKILL");
    await doomedEdge.kill();
    await nameServer.kill();
    await rules("http_request_firewall_custom", [
      { action: "block", expression: 'http.request.uri.path eq "/admin"' },
    ]);
    await untilVisit("/admin", 403);
    await ask("POST", `/zones/${zone.id}/dns_records`, { ...record, name: "shop" });
    nameServer.start();
    await untilResolved("shop.example.com");

    await postgres.kill();
    const ray = await untilVisit("/admin", 403);
    await untilVisit("/", 200);
    await postgres.start();
    const query = `{ viewer { zones(filter: { zoneTag: "${zone.id}" }) { firewallEventsAdaptive(limit: 9, filter: { rayName: "${ray}" }) { action } } } }`;
    await until("the event is stored, once", async () => {
      const { viewer } = await ask("POST", "/graphql", { query }).catch(() => ({ viewer: undefined }));
      return JSON.stringify(viewer?.zones[0].firewallEventsAdaptive) === '[{"action":"block"}]';
    });

    program.stop();
    await untilVisit("/", 521);
    await program.start();
    await untilVisit("/", 200);
    const statuses = [...(await stop()).keys()];
    assert.deepEqual(
      statuses.filter((status) => status !== 200 && status < 500),
      [],
    );
  },
);
