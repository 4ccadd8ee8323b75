import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";

import { until } from "./harness.ts";

/** A real Ethereum node, of another make than the development chain. */
export interface Anvil {
  readonly url: string;
  readonly signal: (signal: NodeJS.Signals) => void;
}

const platforms: Readonly<Record<string, string>> = {
  "linux-x64": "linux-amd64",
  "linux-arm64": "linux-arm64",
  "darwin-x64": "darwin-amd64",
  "darwin-arm64": "darwin-arm64",
};

/** Starts a node on a free port until the test ends. Each call makes the same chain but for the times of its blocks. */
export async function startAnvil(t: TestContext, chainId: number): Promise<Anvil> {
  const platform = platforms[`${process.platform}-${process.arch}`] ?? "";
  const found = createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${platform}/package.json`);
  const child = spawn(join(dirname(found), "bin/anvil"), ["--port=0", `--chain-id=${chainId}`]);
  const ended = once(child, "exit");
  t.after(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (output += part));
  await until("anvil listens", () => /Listening on \S+/.test(output));
  return {
    url: `http://${/Listening on (\S+)/.exec(output)?.[1]}/`,
    signal: (signal) => void child.kill(signal),
  };
}
