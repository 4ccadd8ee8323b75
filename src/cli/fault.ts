import { readFileSync } from "node:fs";

import { readCommand, runToEnd, UsageError, unknownCommand } from "./command-line.ts";
import { printable } from "./printable.ts";
import { connectTestControls, type TestControlsClient } from "./test-controls-client.ts";

interface ShownFault {
  readonly id: string;
  readonly name: string | null;
  readonly match: object;
  readonly effect: object;
  readonly on: boolean;
  readonly acted: number;
}

type Action = (client: TestControlsClient, argument: string) => Promise<unknown>;

interface ActionForm {
  /** The name of the argument in the help; undefined for none. */
  readonly argument?: string;
  readonly run: Action;
}

const actions: Readonly<Record<string, ActionForm>> = {
  list: { run: async (client) => client.request("GET", "/faults") },
  add: { argument: "RULES", run: async (client, text) => client.request("POST", "/faults", readRules(text)) },
  preset: {
    argument: "NAME",
    run: async (client, name) => client.request("POST", "/faults", { preset: name }),
  },
  on: { argument: "ID", run: switchTo(true) },
  off: { argument: "ID", run: switchTo(false) },
  remove: { argument: "ID", run: async (client, id) => void (await client.request("DELETE", pathOf(id))) },
  clear: { run: async (client) => void (await client.request("DELETE", "/faults")) },
};

/** `zoneward fault`: makes requests to a running server fail. */
export async function fault(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [command = "", ...rest] = args;
  return runToEnd(async () => {
    const action = Object.hasOwn(actions, command) ? actions[command] : undefined;
    if (action === undefined) throw unknownCommand("fault", command);
    const { values, positionals, settings } = readCommand(rest, {
      flags: ["url", "token"],
      positionalsMax: action.argument === undefined ? 0 : 1,
    });
    const [argument = ""] = positionals;
    if (action.argument !== undefined && argument === "") {
      throw new UsageError(`fault ${command} needs ${action.argument}; see zoneward fault --help`);
    }
    const client = await connectTestControls(values, settings, env);
    const shown = await action.run(client, argument);
    if (shown !== undefined) process.stdout.write(([shown].flat() as ShownFault[]).map(line).join(""));
  });
}

function switchTo(on: boolean): Action {
  return async (client, id) => client.request("PATCH", pathOf(id), { on });
}

function pathOf(id: string): string {
  if (!/^\d{1,10}$/.test(id)) throw new UsageError("ID: must be a number, as zoneward fault list shows it");
  return `/faults/${id}`;
}

function readRules(text: string): unknown {
  try {
    return JSON.parse(/^\s*[[{]/.test(text) ? text : readFileSync(text, "utf8"));
  } catch (error) {
    throw new UsageError(`RULES: cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function line({ id, name, match, effect, on, acted }: ShownFault): string {
  const rule = `${JSON.stringify(match)} ${JSON.stringify(effect)}`;
  return `${id.padStart(4)}  ${on ? "on " : "off"}  acted ${acted}  ${printable(`${name ?? ""} ${rule}`.trim())}\n`;
}
