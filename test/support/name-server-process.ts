import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";

/** The process of a name server of others; it ends with the test. */
export interface NameServerProcess {
  /** Starts it again on what it has kept. */
  start(): void;
  /** Makes it read its zone files again. */
  reload(): void;
  /** Ends it at once, as a loss of power does. */
  kill(): Promise<void>;
  /** The output so far. */
  log(): string;
}

/** Nothing runs before `start` is called. */
export function nameServerProcess(
  t: TestContext,
  directory: string,
  command: string,
  args: readonly string[],
): NameServerProcess {
  let running: ChildProcess | undefined;
  let log = "";
  const kill = async (): Promise<void> => {
    const child = running;
    running = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  t.after(kill);
  return {
    kill,
    start: () => {
      running = spawn(command, args, { cwd: directory, stdio: ["ignore", "pipe", "pipe"] });
      for (const stream of [running.stdout, running.stderr]) {
        stream?.on("data", (chunk: Buffer) => {
          log += chunk.toString();
        });
      }
    },
    reload: () => void running?.kill("SIGHUP"),
    log: () => log,
  };
}
