import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import type { SentCommand } from "./command-process.ts";
import { inheritedEnvironment, type FinishedCommand } from "./spawned-server.ts";

const program = join(import.meta.dirname, "command-process.ts");

export type RunCommandLine = (
  args: readonly string[],
  options?: { readonly env?: Readonly<Record<string, string>> },
) => Promise<FinishedCommand>;

/**
 * Runs `zoneward` as `runCommand` does, one command after another in one process beside the tests of a file: to load
 * the sources for each takes longer than most commands.
 */
export function commandLine(): RunCommandLine {
  let child: ChildProcess | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  return (args, { env = {} } = {}) => {
    const answer = turn.then(() => ask((child ??= start()), { args, env }));
    turn = answer.catch(() => undefined);
    return answer;
  };
}

function start(): ChildProcess {
  const child = fork(program, {
    // Without the flags of the test runner, which this process was started with.
    execArgv: [],
    env: inheritedEnvironment(),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  // The tests do not wait for its end; it ends when they have.
  child.unref();
  return child;
}

async function ask(child: ChildProcess, sent: SentCommand): Promise<FinishedCommand> {
  const answered = new AbortController();
  const { signal } = answered;
  const ended = once(child, "exit", { signal }).then(([code]) => {
    throw new Error(`the process of the commands ended with ${code}: zoneward ${sent.args.join(" ")}`);
  });
  child.channel?.ref();
  child.send(sent);
  try {
    const [answer] = (await Promise.race([once(child, "message", { signal }), ended])) as [FinishedCommand];
    return answer;
  } finally {
    ended.catch(() => undefined);
    answered.abort();
    child.channel?.unref();
  }
}
