import { readConfig } from "../config/config.ts";
import { publicUrlOf, type Config } from "../config/settings.ts";
import { isJsonObject } from "../core/json-object.ts";
import { printable } from "./printable.ts";

/** A client of a server whose test controls are on. */
export interface TestControlsClient {
  /**
   * Sends a request to a path below `/test/v1`, with a form or JSON as its body, and returns the result.
   * Throws with every error that the server answers.
   */
  readonly request: (method: string, path: string, body?: unknown) => Promise<unknown>;
  /** Returns the answer itself, for one that does not end or is no JSON. */
  readonly open: (path: string) => Promise<Response>;
}

/** Finds the server, and credentials for it, in flags and settings. */
export async function connectTestControls(
  { url, token }: { readonly url?: string; readonly token?: string },
  settings: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<TestControlsClient> {
  const { config } = await readConfig(settings, env);
  const base = url === undefined ? publicUrlOf(config) : new URL(url);
  const credentials = credentialsOf(config, token);
  const send = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const isJson = body !== undefined && !(body instanceof FormData);
    const answer = await fetch(new URL(`/test/v1${path}`, base), {
      method,
      headers: { ...credentials, ...(isJson && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
    }).catch((error: unknown) => {
      throw new Error(`no server answers at ${base.origin}`, { cause: error });
    });
    if (!answer.headers.has("zoneward-test-controls")) {
      throw new Error(`the server at ${base.origin} has no test controls; start it with --test-controls`);
    }
    if (!answer.ok) throw new Error(describeErrors(await answer.text(), answer.status));
    return answer;
  };
  return {
    request: async (method, path, body) =>
      ((await (await send(method, path, body)).json()) as { readonly result: unknown }).result,
    open: async (path) => send("GET", path),
  };
}

function credentialsOf(config: Config, given: string | undefined): Readonly<Record<string, string>> {
  const token = given ?? config.test_controls_token ?? config.owner_token;
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (config.owner_key === undefined) {
    throw new Error(
      "no credentials; set ZONEWARD_TEST_CONTROLS_TOKEN or ZONEWARD_OWNER_TOKEN, or give --token",
    );
  }
  return { "x-auth-email": config.owner_email, "x-auth-key": config.owner_key };
}

function describeErrors(text: string, status: number): string {
  const errors = errorsOf(text);
  return errors.length === 0 ? `the server answered ${status}` : errors.map(printable).join("\n  ");
}

function errorsOf(text: string): readonly string[] {
  try {
    const body: unknown = JSON.parse(text);
    const errors = isJsonObject(body) && Array.isArray(body["errors"]) ? (body["errors"] as unknown[]) : [];
    return errors.flatMap((error) => (isJsonObject(error) ? String(error["message"]) : []));
  } catch {
    return [];
  }
}
