import assert from "node:assert/strict";

import { byToken, type TestAnswer, type TestApp } from "./harness.ts";
import { managed } from "./ruleset-api.ts";

export const owaspPackageId = "c504870194831cd12c3fc0284f294abb";
export const traditionalPackageId = "1e334934fd7ae32ad705667f8c1057aa";

export const scriptInjection = "/?q=%3Cscript%3Ealert(1)%3C/script%3E";
export const sqlInjection = "/?id=1%27%20UNION%20SELECT%20username,password%20FROM%20users--";

export interface Entry {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function harOf(...entries: readonly Entry[]): string {
  return JSON.stringify({
    log: {
      version: "1.2",
      creator: { name: "a test", version: "1" },
      entries: entries.map(({ url, method = "GET", headers = {} }) => ({
        startedDateTime: "2026-01-01T00:00:00.000Z",
        request: {
          method,
          url,
          httpVersion: "HTTP/1.1",
          headers: Object.entries({ "User-Agent": "curl/8", Accept: "*/*", ...headers }).map(
            ([name, value]) => ({ name, value }),
          ),
          cookies: [],
        },
        response: { status: 200 },
      })),
    },
  });
}

/** Sends a recording; `init` may say what is accepted, and abort. */
export function sendRecording(
  app: TestApp,
  zoneId: string,
  file: string,
  fields: Readonly<Record<string, string>> = {},
  { headers, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  const form = new FormData();
  form.set("file", new Blob([file]), "requests");
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return fetch(`${app.baseUrl}/zones/${zoneId}/waf_migration/replay`, {
    method: "POST",
    headers: { ...byToken, ...headers },
    body: form,
    ...(signal && { signal }),
  });
}

export async function replay(...sent: Parameters<typeof sendRecording>): Promise<TestAnswer> {
  const response = await sendRecording(...sent);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

export async function reportOf(...sent: Parameters<typeof replay>): Promise<TestAnswer["body"]["result"]> {
  const answer = await replay(...sent);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.result;
}

export async function eventsOf(app: TestApp, zoneId: string): Promise<Record<string, unknown>[]> {
  const query = `{ viewer { zones(filter: {zoneTag: "${zoneId}"}) {
    firewallEventsAdaptive(orderBy: [datetime_ASC]) {
      source action ruleId rulesetId clientIP clientRequestPath edgeResponseStatus rayName matchIndex
      metadata { key value }
    }
  } } }`;
  const { body } = await app.request("POST", "/graphql", { body: { query } });
  const { data } = body as unknown as { data: { viewer: { zones: [{ firewallEventsAdaptive: [] }] } } };
  return data.viewer.zones[0].firewallEventsAdaptive;
}

/** A zone with the previous version switched on, and what is done to it. */
export async function zoneOf(app: TestApp) {
  const id = await app.createZone("example.com");
  const zone = `/zones/${id}`;
  const send = async (method: string, path: string, body: unknown) => {
    const answer = await app.request(method, zone + path, { body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.result;
  };
  await send("PATCH", "/settings/waf", { value: "on" });
  return {
    id,
    send,
    migrate: async (mode: "validation" | "pending", rules: readonly object[]) =>
      send("PUT", `/rulesets${managed}?waf_migration=${mode}&phase_two=1`, { rules }),
  };
}
