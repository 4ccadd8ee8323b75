import { styleText } from "node:util";

import type { Setting } from "../setting-forms.ts";
import { flagOf, settingNames, settings, variableOf } from "../settings.ts";
import { version } from "../version.ts";

export function generalHelp(): string {
  return `Zoneward ${version()}: the v4 zone-management API as software that anyone can run.

Usage: zoneward COMMAND [FLAGS]

Commands:
  serve       Serve the API. \`zoneward serve --help\` lists its settings.

Flags:
  --help      Show this help; after a command, the help of the command.
  --version   Show the version.
`;
}

/** The help of \`zoneward serve\`, made from the settings themselves. */
export function commandHelp(): string {
  const rows = settingNames.map((name) => settingHelp(name, settings[name]));
  return `Usage: zoneward serve [FLAGS]

Serves the API until it gets SIGINT or SIGTERM, and then finishes the requests in flight.

Each setting has one name in three places: a flag, an environment variable, and a key (the flag's name
with underscores) in the file that --config names. A flag beats the environment, which beats the file.

${rows.join("\n")}
  --config FILE                       ZONEWARD_CONFIG
      A file of settings, YAML or JSON.
  --print-config
      Print the effective settings, secrets masked, and end.
  --help
      Show this help.
`;
}

function settingHelp(name: string, { form, help, fallback }: Setting<unknown>): string {
  const flag = `  ${flagOf(name)}${form === "" ? "" : ` ${form}`}`;
  return `${bold(flag.padEnd(37))} ${variableOf(name)}\n      ${help}${defaultOf(name, fallback)}`;
}

function defaultOf(name: string, fallback: unknown): string {
  if (name === "edge_addresses" || (typeof fallback !== "string" && typeof fallback !== "number")) return "";
  return ` Default: ${fallback}.`;
}

function bold(text: string): string {
  return process.stdout.isTTY ? styleText("bold", text) : text;
}
