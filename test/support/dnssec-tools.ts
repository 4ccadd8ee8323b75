import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

/** The reason why a test that needs a tool is skipped; false where it is installed. */
export function withoutTool(command: string, option = "-h"): string | false {
  return spawnSync(command, [option]).error === undefined ? false : `${command} is not installed`;
}

/** The output of a tool, and its exit code. */
export async function runTool(
  command: string,
  options: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  const child = spawn(command, options, { stdio: ["ignore", "pipe", "pipe"], timeout: 20_000 });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => (output += text));
  }
  const [code] = (await once(child, "close")) as [number | null];
  return { code: code ?? -1, output };
}
