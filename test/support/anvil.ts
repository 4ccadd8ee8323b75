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

/** Starts a node on a free port until the test ends. Each call makes the same chain but for the times of its blocks. */
export async function startAnvil(t: TestContext, chainId: number): Promise<Anvil> {
  const child = spawn(findAnvil(), ["--port=0", `--chain-id=${chainId}`]);
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

/** The package exists for Linux on x64; elsewhere Foundry has to be installed. */
function findAnvil(): string {
  const isPackaged = process.platform === "linux" && process.arch === "x64";
  if (!isPackaged) return "anvil";
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve("@foundry-rs/anvil-linux-amd64/package.json")), "bin/anvil");
}
