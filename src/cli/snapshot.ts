import { readFile, writeFile } from "node:fs/promises";

import { snapshotNamePattern } from "../core/test-controls/snapshot-name.ts";
import { readCommand, runToEnd, UsageError, unknownCommand } from "./command-line.ts";
import { connectTestControls, type TestControlsClient } from "./test-controls-client.ts";

interface ShownSnapshot {
  readonly name: string;
  readonly saved_on: string;
  readonly bytes: number;
}

interface Action {
  readonly takes: readonly ("NAME" | "FILE")[];
  readonly run: (client: TestControlsClient, path: string, file: string) => Promise<unknown>;
}

const actions: Readonly<Record<string, Action>> = {
  list: { takes: [], run: (client) => client.request("GET", "/snapshots") },
  save: { takes: ["NAME"], run: (client, path) => client.request("PUT", path) },
  restore: { takes: ["NAME"], run: (client, path) => client.request("POST", `${path}/restore`) },
  delete: { takes: ["NAME"], run: async (client, path) => void (await client.request("DELETE", path)) },
  export: {
    takes: ["NAME", "FILE"],
    run: async (client, path, file) => {
      const answer = await client.open(`${path}/file`);
      await writeFile(file, new Uint8Array(await answer.arrayBuffer()), { mode: 0o600 });
    },
  },
  import: {
    takes: ["NAME", "FILE"],
    run: async (client, path, file) => {
      const form = new FormData();
      form.append("file", new Blob([new Uint8Array(await readFile(file))]), "snapshot");
      return client.request("PUT", `${path}/file`, form);
    },
  },
};

/** `zoneward snapshot`: saves, restores and lists states of a running server. */
export async function snapshot(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [command = "", ...rest] = args;
  return runToEnd(async () => {
    const action = Object.hasOwn(actions, command) ? actions[command] : undefined;
    if (action === undefined) throw unknownCommand("snapshot", command);
    const { values, positionals, settings } = readCommand(rest, {
      flags: ["url", "token"],
      positionalsMax: action.takes.length,
    });
    if (positionals.length < action.takes.length) {
      throw new UsageError(
        `snapshot ${command} needs ${action.takes.join(" and ")}; see zoneward snapshot --help`,
      );
    }
    const [name = "", file = ""] = positionals;
    if (action.takes.includes("NAME") && !snapshotNamePattern.test(name)) {
      throw new UsageError(
        "NAME: must be 1 to 64 letters, digits, `_`, `.` or `-`, of which the first is a letter or a digit",
      );
    }
    const client = await connectTestControls(values, settings, env);
    const shown = await action.run(client, `/snapshots/${encodeURIComponent(name)}`, file);
    if (shown !== undefined) process.stdout.write(([shown].flat() as ShownSnapshot[]).map(line).join(""));
  });
}

function line({ name, saved_on, bytes }: ShownSnapshot): string {
  return `${saved_on}  ${String(bytes).padStart(10)}  ${name}\n`;
}
