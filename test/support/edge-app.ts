import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type RequestListener,
} from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

import type { Config } from "../../src/config/settings.ts";
import { queryGraphql } from "./security-event-api.ts";
import { startTestApp, until, type Engine, type TestApp, type TestEnvironment } from "./harness.ts";

/** The request that an origin got, which it answers by default. */
export interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** An origin on a free port of loopback. It echoes requests as JSON unless `listener` answers them. */
export async function startOrigin(t: TestContext, listener: RequestListener = echo): Promise<number> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

export const echo: RequestListener = (request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const { method, url, headers, rawHeaders } = request;
    const seen = { method, url, headers, rawHeaders, body: Buffer.concat(parts).toString("latin1") };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(seen));
  });
};

export interface VisitOptions {
  readonly host?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
  readonly isSecure?: boolean;
  /** PEM; without it, certificates are not checked. */
  readonly ca?: string;
}

export interface VisitorAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly text: string;
  /** Only of an origin that echoes. */
  readonly echo: Echo;
}

export interface EdgeApp {
  readonly app: TestApp;
  readonly zoneId: string;
  /** Base URL of the edge, over HTTP. */
  readonly url: string;
  readonly securePort: number;
  /** Sends a visitor's request to `www.example.com` unless it is for another host. */
  visit(path: string, options?: VisitOptions): Promise<VisitorAnswer>;
  /** Changes the zone by the API, as the owner; the answer must be a success. `path` is below the zone. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  change(method: string, path: string, body?: unknown): Promise<any>;
  /** Replaces the rules of a phase. */
  rules(phase: string, rules: readonly object[]): Promise<void>;
  /** Waits until a visit is answered so. */
  untilStatus(path: string, status: number, options?: VisitOptions): Promise<VisitorAnswer>;
}

/** An edge with an active zone, `example.com`, whose `www` leads to a program on `originPort`. */
export async function startEdgeApp(
  t: TestContext,
  engine: Engine,
  originPort: number,
  settings: Partial<Config> = {},
  environment: TestEnvironment = {},
): Promise<EdgeApp> {
  const app = await startTestApp(
    t,
    engine,
    { edge_http: ["127.0.0.1:0"], edge_https: ["127.0.0.1:0"], ...settings },
    { startedOn: new Date(), ...environment },
  );
  const zoneId = await app.createZone("example.com");
  const change: EdgeApp["change"] = async (method, path, body) => {
    const answer = await app.request(method, `/zones/${zoneId}${path}`, body === undefined ? {} : { body });
    if (!answer.body.success) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body.result;
  };
  await change("PUT", "/activation_check");
  const edge: EdgeApp = {
    app,
    zoneId,
    get url() {
      return `http://${app.edgeHttpAddresses[0]}`;
    },
    get securePort() {
      return Number(app.edgeHttpsAddresses[0]?.split(":").at(-1));
    },
    change,
    rules: async (phase, rules) => {
      await change("PUT", `/rulesets/phases/${phase}/entrypoint`, { rules });
    },
    visit: (path, options = {}) => send(edge, path, options),
    untilStatus: async (path, status, options) => {
      let answer = await edge.visit(path, options);
      await until(`${path} is answered ${status}, not ${answer.status}`, async () => {
        if (answer.status !== status) answer = await edge.visit(path, options);
        return answer.status === status;
      });
      return answer;
    },
  };
  await change("POST", "/dns_records", { type: "CNAME", name: "www", content: "localhost", proxied: true });
  await edge.rules("http_request_origin", [routeTo(originPort)]);
  await edge.untilStatus("/", 200);
  return edge;
}

/** A rule that leads all requests to a port. */
export function routeTo(port: number): object {
  return { action: "route", expression: "true", action_parameters: { origin: { port } } };
}

function send(
  { url, securePort }: EdgeApp,
  path: string,
  { host = "www.example.com", method = "GET", headers = {}, body, isSecure = false, ca }: VisitOptions,
): Promise<VisitorAnswer> {
  return new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port: isSecure ? securePort : Number(new URL(url).port),
      method,
      path,
      agent: false,
      headers: { host, ...headers },
      ...(isSecure && { servername: host, rejectUnauthorized: ca !== undefined, ca }),
    };
    const request = (isSecure ? httpsRequest : httpRequest)(options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => (text += part));
      response.on("error", reject);
      response.on("end", () => {
        const isEcho = text.startsWith('{"method"');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          text,
          echo: (isEcho ? JSON.parse(text) : undefined) as Echo,
        });
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** The security events of a request, by its ray id, once they are stored. */
export async function eventsOf({ app, zoneId }: EdgeApp, ray: unknown): Promise<object[]> {
  const query = `query($zoneTag: String!, $rayName: String!) { viewer { zones(filter: { zoneTag: $zoneTag }) {
    firewallEventsAdaptive(limit: 10, filter: { rayName: $rayName }) {
      action source ruleMessage edgeResponseStatus metadata { key value }
    }
  } } }`;
  let events: object[] = [];
  await until("the event is stored", async () => {
    const { data } = await queryGraphql(app, query, { zoneTag: zoneId, rayName: String(ray).split("-")[0] });
    events = data.viewer.zones[0].firewallEventsAdaptive;
    return events.length > 0;
  });
  return events;
}
