import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";

import {
  byToken,
  ownerToken,
  sendRequest,
  startTestApp,
  type Engine,
  type TestAnswer,
  type TestApp,
} from "./harness.ts";
import type { Config } from "../../src/config/settings.ts";

export interface FaultApp extends TestApp {
  /** A request to the test controls; `path` is below `/test/v1`. */
  control(method: string, path: string, body?: unknown): Promise<TestAnswer>;
  /** Adds faults, and returns the id of the first. */
  fault(rules: unknown): Promise<string>;
  /** Entries of the journal for requests that match. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  journal(match?: object): Promise<any[]>;
}

/** A server with its test controls on. */
export async function startFaultApp(
  t: TestContext,
  engine: Engine = "sqlite",
  settings: Partial<Config> = {},
): Promise<FaultApp> {
  const app = await startTestApp(t, engine, { test_controls: true, ...settings });
  const control: FaultApp["control"] = (method, path, body) =>
    sendRequest(new URL("/test/v1", app.baseUrl).href, method, path, { headers: byToken, body });
  return {
    ...app,
    get baseUrl() {
      return app.baseUrl;
    },
    control,
    fault: async (rules) => {
      const answer = await control("POST", "/faults", rules);
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.body.result[0].id as string;
    },
    journal: async (match = {}) =>
      // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
      (await control("POST", "/journal/search", { match })).body.result.entries as any[],
  };
}

/** A connection that stays open, as clients keep it. */
export interface OpenConnection {
  /** Sends a request of the owner and resolves once `received` holds its answer, or the connection has ended. */
  send(method: string, path: string, body?: string): Promise<string>;
  /** Resolves when the connection has ended, with all that was received. */
  ended(): Promise<string>;
  readonly socket: Socket;
}

export function openConnection(t: TestContext, baseUrl: string): OpenConnection {
  const { hostname, port, pathname } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).setEncoding("utf8");
  t.after(() => socket.destroy());
  let received = "";
  let noticed = (): void => undefined;
  const connection = { hasEnded: false };
  socket.on("data", (part: string) => {
    received += part;
    noticed();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    connection.hasEnded = true;
    noticed();
  });
  const when = async (isOver: () => boolean): Promise<string> => {
    while (!connection.hasEnded && !isOver()) {
      await new Promise<void>((resolve) => {
        noticed = resolve;
      });
    }
    return received;
  };
  return {
    socket,
    send: (method, path, body = "") => {
      received = "";
      const length =
        body === "" ? "" : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
      socket.write(
        `${method} ${pathname}${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ownerToken}\r\n${length}\r\n${body}`,
      );
      return when(() => isWhole(received));
    },
    ended: () => when(() => false),
  };
}

function isWhole(received: string): boolean {
  const end = received.indexOf("\r\n\r\n");
  const length = /^content-length: (\d+)/im.exec(received)?.[1];
  return end !== -1 && length !== undefined && Buffer.byteLength(received.slice(end + 4)) >= Number(length);
}
