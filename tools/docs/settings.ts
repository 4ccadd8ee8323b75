import type { Setting } from "../../src/config/setting-kinds.ts";
import { flagOf, settingNames, settings, variableOf } from "../../src/config/settings.ts";

/** `docs/operating/settings.md`, made from the settings themselves. */
export function settingsPage(): string {
  const sections = settingNames.map((name) => section(name, settings[name]));
  return `# Settings

<!-- Made by \`npm run docs\`. -->

Every setting can be given in three places: as a flag, as an environment variable, or as a key of the YAML or JSON file
that \`--config\` (or \`ZONEWARD_CONFIG\`) names. Flags override the environment, which overrides the file. In flags and
variables, lists are comma-separated. A start with errors fails at once and lists all of them. \`--print-config\` shows
the settings in effect, with secrets masked.

${sections.join("\n")}`;
}

function section(name: string, { notation, help, fallback, secret }: Setting<unknown>): string {
  const flag = notation === "" ? flagOf(name) : `${flagOf(name)} ${notation}`;
  const rows = [
    `| Flag | \`${flag.replaceAll("|", String.raw`\|`)}\` |`,
    `| Variable | \`${variableOf(name)}\` |`,
    `| Default | ${defaultOf(fallback)} |`,
    ...(secret ? ["| Secret | masked by `--print-config` |"] : []),
  ];
  return `## \`${name}\`\n\n${help}\n\n| | |\n| --- | --- |\n${rows.join("\n")}\n`;
}

function defaultOf(fallback: unknown): string {
  const values = fallback === undefined ? [] : Array.isArray(fallback) ? fallback : [fallback];
  return values.length === 0 ? "none" : values.map((value) => `\`${value}\``).join(", ");
}
