import { type EdgeApp, routeTo } from "./edge-app.ts";

/** Another account of the same installation, with an active zone of its own on the same edge. */
export interface Neighbour {
  readonly accountId: string;
  readonly zoneId: string;
  /** A name that the zone serves. */
  readonly host: string;
  /** Changes the zone by the API; `path` is below the zone. */
  change(method: string, path: string, body?: unknown): Promise<unknown>;
  rules(phase: string, rules: readonly object[]): Promise<void>;
}

/** Makes an account with the zone `neighbour.example`, whose `www` leads to `originPort`. Needs `create_accounts`. */
export async function addNeighbour(edge: EdgeApp, originPort: number): Promise<Neighbour> {
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await edge.app.request(method, path, body === undefined ? {} : { body });
    if (!answer.body.success) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body.result;
  };
  const account = await ask("POST", "/accounts", { name: "Neighbour" });
  const zone = await ask("POST", "/zones", { name: "neighbour.example", account: { id: account.id } });
  const change: Neighbour["change"] = (method, path, body) => ask(method, `/zones/${zone.id}${path}`, body);
  const neighbour: Neighbour = {
    accountId: account.id,
    zoneId: zone.id,
    host: "www.neighbour.example",
    change,
    rules: async (phase, rules) =>
      void (await change("PUT", `/rulesets/phases/${phase}/entrypoint`, { rules })),
  };
  await change("PUT", "/activation_check");
  await change("POST", "/dns_records", { type: "CNAME", name: "www", content: "localhost", proxied: true });
  await neighbour.rules("http_request_origin", [routeTo(originPort)]);
  await edge.untilStatus("/", 200, { host: neighbour.host });
  return neighbour;
}
