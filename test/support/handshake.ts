import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import type { TestContext } from "node:test";

import WebSocketClient from "ws";

/** The status with which a handshake is answered while test controls are on; `lost` where it is not. */
export async function handshake(
  t: TestContext,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number | "lost"> {
  const socket = new WebSocketClient(url, { headers });
  t.after(() => socket.terminate());
  return new Promise((resolve) => {
    const settle = (response: IncomingMessage): void => {
      assert.equal(response.headers["zoneward-test-controls"], "on");
      resolve(response.statusCode ?? 0);
    };
    socket.on("upgrade", settle);
    socket.on("unexpected-response", (_request, response) => settle(response));
    socket.on("error", () => resolve("lost"));
  });
}
