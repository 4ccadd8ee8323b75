import type { Setting } from "../../src/setting-forms.ts";
import { flagOf, settingNames, settings, variableOf } from "../../src/settings.ts";

/** `docs/operating/settings.md`, made from the settings themselves. */
export function settingsPage(): string {
  const sections = settingNames.map((name) => section(name, settings[name]));
  return `# Settings

<!-- Made by \`npm run docs\`. -->

Each setting has one name in three places: a flag, an environment variable, and a key of the file that \`--config\`
(or \`ZONEWARD_CONFIG\`) names, YAML or JSON. A flag beats the environment, which beats the file. Lists are
comma-separated in flag and environment. A start with mistakes ends at once and names all of them;
\`--print-config\` shows what is in effect, secrets masked.

${sections.join("\n")}`;
}

function section(name: string, { form, help, fallback, secret }: Setting<unknown>): string {
  const flag = form === "" ? flagOf(name) : `${flagOf(name)} ${form}`;
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
