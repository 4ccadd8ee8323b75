import type { TestContext } from "node:test";

import { zone } from "../../src/core/policy/permission-groups.ts";
import { parseNetworks, type NetworkSettings } from "../../src/gateway/chain/networks.ts";
import type { Config } from "../../src/config/settings.ts";
import { startTestApp, type TestApp, type TestEnvironment } from "./harness.ts";

/** Any answer of the gateway; what it holds is for the test to say. */
export interface RpcResponse {
  readonly jsonrpc: string;
  readonly id: unknown;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: RpcResponse;
  /** The same, where a batch was sent. */
  readonly batch: readonly RpcResponse[];
}

export interface GatewayApp {
  readonly app: TestApp;
  /** `http://127.0.0.1:1234/gateway/v1/`: a network's name follows. */
  readonly url: string;
  /** Posts a body as it is. */
  post(
    network: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ): Promise<GatewayAnswer>;
  /** Makes one call with the id 1. */
  call(network: string, method: string, ...params: readonly unknown[]): Promise<GatewayAnswer>;
  /** The content of `/metrics`. */
  metrics(): Promise<string>;
}

/** Time enough for an answer, however busy the machine is. */
const unhurried = { attempt_ms: 60_000, deadline_ms: 60_000 };
/** A network that asks each node once and waits for it. */
export const patient = { hedge: false };

/** A token that is good for the gateway, and for nothing else. */
export const mayCall = {
  name: "gateway",
  policies: [
    {
      effect: "allow",
      resources: { "com.cloudflare.api.account.zone.*": "*" },
      permission_groups: [{ id: zone("Web3 Hostnames Read").id }],
    },
  ],
};

/** A gateway to networks that are described as in the setting `gateway_networks`, but for their `unhurried` times. */
export async function startGateway(
  t: TestContext,
  networks: readonly object[],
  settings: Partial<Config> = {},
  environment: TestEnvironment = {},
): Promise<GatewayApp> {
  const gateway_networks = networksOf(networks.map((network) => ({ ...unhurried, ...network })));
  const app = await startTestApp(t, "sqlite", { gateway_networks, ...settings }, environment);
  const post: GatewayApp["post"] = (network, body, headers) =>
    postTo(`${app.gatewayUrl}/v1/${network}`, body, headers);
  return {
    app,
    get url() {
      return `${app.gatewayUrl}/v1/`;
    },
    post,
    call: (network, method, ...params) =>
      post(network, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })),
    metrics: async () => (await fetch(`${new URL(app.baseUrl).origin}/metrics`)).text(),
  };
}

/** A gateway to `nodes`, of which the first is asked first (but for one time in a thousand). */
export async function startPreferring(
  t: TestContext,
  nodes: readonly { readonly url: string }[],
  network: object = {},
): Promise<GatewayApp> {
  const upstreams = nodes.map(({ url }, index) => ({ url, weight: index === 0 ? 1000 : 1 }));
  return startGateway(t, [{ name: "mainnet", poll_ms: 50, upstreams, ...network }]);
}

export function networksOf(networks: readonly object[]): readonly NetworkSettings[] {
  const parsed = parseNetworks(networks);
  if (parsed instanceof Error) throw parsed;
  return parsed;
}

/** Posts a body to a URL of the gateway. */
export async function postTo(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<GatewayAnswer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  const text = await response.text();
  const value: unknown = text === "" ? undefined : JSON.parse(text);
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: value as RpcResponse,
    batch: value as RpcResponse[],
  };
}
