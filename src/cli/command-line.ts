import { ConfigError } from "../config/config.ts";

/** A command line that makes no sense; exit code 2. */
export class UsageError extends Error {}

/** For a missing or unknown command of a group such as `zoneward token`. */
export function unknownCommand(group: string, command: string): UsageError {
  const said = command === "" ? `${group} needs a command;` : `unknown command \`${group} ${command}\`;`;
  return new UsageError(`${said} see zoneward ${group} --help`);
}

interface TakenFlags<Name extends string> {
  readonly taken: Partial<Record<Name, string>>;
  readonly others: string[];
}

/** Takes the flags with these names, `--name value` or `--name=value`, out of a command line. Throws `UsageError` if a value is missing. */
export function takeFlags<const Name extends string>(
  args: readonly string[],
  names: readonly Name[],
): TakenFlags<Name> {
  const taken: Partial<Record<Name, string>> = {};
  const others: string[] = [];
  const rest = [...args];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const [, flag = argument, inlineValue] = /^(--[^=]+)=(.*)$/s.exec(argument) ?? [];
    const name = names.find((known) => flag === `--${known}`);
    if (name === undefined) {
      others.push(argument);
      continue;
    }
    const value = inlineValue ?? (rest[0]?.startsWith("--") ? undefined : rest.shift());
    if (value === undefined || value === "") throw new UsageError(`${flag}: needs a value`);
    taken[name] = value;
  }
  return { taken, others };
}

/** Takes the switches with these names, which have no value, out of a command line. */
export function takeSwitches<const Name extends string>(
  args: readonly string[],
  names: readonly Name[],
): { readonly switched: Readonly<Record<Name, boolean>>; readonly others: string[] } {
  const found = names.map((name) => [name, args.includes(`--${name}`)] as const);
  return {
    switched: Object.fromEntries(found) as Record<Name, boolean>,
    others: args.filter((argument) => !names.some((name) => argument === `--${name}`)),
  };
}

const failure = 1;
const usageError = 2;

/** Runs a command and answers its exit code; an error is printed on standard error, without a stack trace. */
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
