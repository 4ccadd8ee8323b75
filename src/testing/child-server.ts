import { fork } from "node:child_process";
import { once } from "node:events";

import type { RunningServer, ServerAddress, ServerEnvironment } from "./run-server.ts";

/** The single message of a server's process to its parent. */
export type Report = { readonly started: ServerAddress } | { readonly failed: string };

/**
 * Starts a server in a process of its own, which ends with this one. Throws the error of the process if it
 * cannot start.
 */
export async function startChild(environment: ServerEnvironment): Promise<RunningServer> {
  const program = new URL("./server-process.worker.ts", import.meta.url);
  const child = fork(program, { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const ended = once(child, "exit");
  child.send(environment);
  const [report] = (await Promise.race([once(child, "message"), ended])) as [Report | number | null];
  if (report === null || typeof report === "number") throw new Error("the server ended before it was ready");
  if ("failed" in report) throw new Error(report.failed);
  // A test that forgets to stop its server ends nevertheless.
  child.unref();
  child.channel?.unref();
  return {
    ...report.started,
    stop: async () => {
      child.ref();
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
