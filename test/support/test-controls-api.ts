import { byToken, sendRequest, type TestAnswer } from "./harness.ts";

/** Settings of a server with test controls. */
export const withTestControls = { test_controls: true } as const;

interface ControlsApi {
  readonly send: (method: string, path: string, body?: unknown) => Promise<TestAnswer>;
  /** Throws unless it succeeds. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  readonly result: (method: string, path: string, body?: unknown) => Promise<any>;
}

/** The test controls of a server as its owner. */
export function testControlsOf(app: { readonly baseUrl: string }): ControlsApi {
  const send: ControlsApi["send"] = (method, path, body) =>
    sendRequest(new URL("/test/v1", app.baseUrl).href, method, path, {
      headers: byToken,
      ...(body !== undefined && { body }),
    });
  return {
    send,
    result: async (method, path, body) => {
      const answer = await send(method, path, body);
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer.body.result;
    },
  };
}
