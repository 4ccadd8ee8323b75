import { setTimeout as delay } from "node:timers/promises";

import { run } from "../../src/cli/cli.ts";
import type { FinishedCommand } from "./spawned-server.ts";

// The program that `command-line.ts` starts: it runs one command line after another, and answers each.

export interface SentCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

let turn = Promise.resolve();
process.on("message", (sent: SentCommand) => {
  turn = turn.then(async () => void process.send?.(await finish(sent)));
});

const idle = process.getActiveResourcesInfo();

async function finish({ args, env }: SentCommand): Promise<FinishedCommand> {
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  try {
    const code = await run(args, env);
    // As a process of its own, which would not end as long as the command keeps anything open.
    while (process.getActiveResourcesInfo().length > idle.length) await delay(5);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout.restore();
    stderr.restore();
  }
}

function capture(stream: NodeJS.WriteStream): { text: () => string; restore: () => void } {
  const parts: string[] = [];
  const write = stream.write;
  stream.write = (part: string | Uint8Array): boolean => {
    parts.push(typeof part === "string" ? part : Buffer.from(part).toString());
    return true;
  };
  return { text: () => parts.join(""), restore: () => void (stream.write = write) };
}
