import { parseArgs, type ParseArgsConfig } from "node:util";

import { readTokens } from "../config/command-line-tokens.ts";
import { ConfigError, settingOptions, readConfig } from "../config/config.ts";
import type { Config } from "../config/settings.ts";
import type { Database } from "../storage/database.ts";

/** An invalid command line; exit code 2. */
export class UsageError extends Error {}

/** The error for a missing or unknown command of a group such as `zoneward token`. */
export function unknownCommand(group: string, command: string): UsageError {
  const said = command === "" ? `${group} needs a command;` : `unknown command \`${group} ${command}\`;`;
  return new UsageError(`${said} see zoneward ${group} --help`);
}

interface ReadCommand<Flags extends string, Switches extends string> {
  readonly values: Partial<Record<Flags, string>>;
  readonly switched: Readonly<Record<Switches, boolean>>;
  /** Arguments that are not flags, at most `positionalsMax`. */
  readonly positionals: readonly string[];
  readonly settings: readonly string[];
}

/**
 * Takes apart a command line: the flags of a command, `--name value` or `--name=value`, its switches, which have no
 * value, and the first `positionalsMax` arguments that are no flags. Throws `UsageError` if a value is missing.
 */
export function readCommand<const Flags extends string = never, const Switches extends string = never>(
  args: readonly string[],
  {
    flags = [],
    switches = [],
    positionalsMax = 0,
  }: {
    readonly flags?: readonly Flags[];
    readonly switches?: readonly Switches[];
    readonly positionalsMax?: number;
  },
): ReadCommand<Flags, Switches> {
  const values: Partial<Record<Flags, string>> = {};
  const switched = Object.fromEntries(switches.map((name) => [name, false])) as Record<Switches, boolean>;
  const positionals: string[] = [];
  const settings: string[] = [];
  const options = {
    ...settingOptions,
    ...Object.fromEntries(flags.map((name) => [name, { type: "string" as const }])),
    ...Object.fromEntries(switches.map((name) => [name, { type: "boolean" as const }])),
  };
  for (const { from, to, flag, value } of readTokens(args, options)) {
    const name = flags.find((known) => flag === `--${known}`);
    const switchName = switches.find((known) => flag === `--${known}` && value === undefined);
    if (name !== undefined) {
      if (value === undefined || value === "") throw new UsageError(`${flag}: needs a value`);
      values[name] = value;
    } else if (switchName !== undefined) {
      switched[switchName] = true;
    } else if (flag === undefined && value !== undefined && positionals.length < positionalsMax) {
      positionals.push(value);
    } else {
      settings.push(...args.slice(from, to));
    }
  }
  return { values, switched, positionals, settings };
}

/** Calls `parseArgs` of Node.js. Throws `UsageError`. */
export function parseFlags<const Flags extends ParseArgsConfig>(
  config: Flags,
): ReturnType<typeof parseArgs<Flags>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const failure = 1;
const usageError = 2;

/** Runs a command and returns its exit code; errors are printed on standard error without a stack trace. */
export async function runToEnd(work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (error instanceof ConfigError) {
      return fail(usageError, `the settings have errors:\n  ${error.issues.join("\n  ")}`);
    }
    if (error instanceof UsageError) return fail(usageError, error.message);
    return fail(failure, error instanceof Error ? error.message : String(error));
  }
}

function fail(code: number, message: string): number {
  process.stderr.write(`zoneward: ${message}\n`);
  return code;
}

/** Runs `work` on the store that the settings name; a server may be running on it. */
export async function withExistingStore(
  settings: readonly string[],
  env: NodeJS.ProcessEnv,
  work: (db: Database, config: Config) => Promise<void>,
): Promise<void> {
  const { config } = await readConfig(settings, env);
  // Loaded late, as most commands need no store.
  const { openExistingStore } = await import("../process/open-store.ts");
  const db = await openExistingStore(config);
  try {
    await work(db, config);
  } finally {
    await db.close();
  }
}

/** Replaces characters that could control the terminal, so that the text fits on one safe line. */
export function printable(text: string): string {
  return text.replaceAll(/[\t\n\r]+/g, " ").replaceAll(/\p{C}/gu, "\u{FFFD}");
}
