import { commandNames, type CommandName } from "./command-table.ts";
import {
  completionHelp,
  crsHelp,
  databaseHelp,
  dnsHelp,
  doctorHelp,
  edgeHelp,
  expressionHelp,
  gatewayHelp,
  generalHelp,
  secretsHelp,
  serveHelp,
  tokenHelp,
  userHelp,
  wafHelp,
  clockHelp,
  faultHelp,
  journalHelp,
  resetHelp,
  snapshotHelp,
} from "./help.ts";
import { version } from "../process/version.ts";

const usageError = 2;

/** Runs a command line and returns the exit code. */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [command, ...rest] = args;
  if (command === undefined || command === "--help" || command === "-h" || command === "help") {
    process.stdout.write(generalHelp());
    return command === undefined ? usageError : 0;
  }
  if (command === "--version") {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  const name = commandNames.find((known) => known === command);
  if (name === undefined) {
    process.stderr.write(`zoneward: unknown command \`${command}\`; see zoneward --help\n`);
    return usageError;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    process.stdout.write(commandHelp(name));
    return 0;
  }
  return (await commands[name].load())(rest, env);
}

/** The text of `zoneward COMMAND --help`. */
export function commandHelp(name: CommandName): string {
  return commands[name].help();
}

interface Command {
  readonly help: () => string;
  /** Loads the command, which runs with its arguments and returns the exit code. */
  readonly load: () => Promise<(args: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>>;
}

/** All commands. Each is loaded when it runs, so that help and version are quick. */
const commands: Readonly<Record<CommandName, Command>> = {
  serve: { help: serveHelp, load: async () => (await import("./serve.ts")).serve },
  edge: { help: edgeHelp, load: async () => (await import("./edge.ts")).edge },
  token: { help: tokenHelp, load: async () => (await import("./token.ts")).token },
  user: { help: userHelp, load: async () => (await import("./user.ts")).user },
  waf: { help: wafHelp, load: async () => (await import("./waf.ts")).waf },
  database: { help: databaseHelp, load: async () => (await import("./database.ts")).database },
  secrets: { help: secretsHelp, load: async () => (await import("./secrets.ts")).secrets },
  dns: { help: dnsHelp, load: async () => (await import("./dns.ts")).dns },
  gateway: { help: gatewayHelp, load: async () => (await import("./gateway.ts")).gateway },
  crs: { help: crsHelp, load: async () => (await import("./crs.ts")).crs },
  expression: { help: expressionHelp, load: async () => (await import("./expression.ts")).runExpression },
  fault: { help: faultHelp, load: async () => (await import("./test-controls.ts")).fault },
  journal: { help: journalHelp, load: async () => (await import("./test-controls.ts")).journal },
  reset: { help: resetHelp, load: async () => (await import("./test-controls.ts")).reset },
  snapshot: { help: snapshotHelp, load: async () => (await import("./test-controls.ts")).snapshot },
  clock: { help: clockHelp, load: async () => (await import("./test-controls.ts")).clock },
  doctor: { help: doctorHelp, load: async () => (await import("./doctor.ts")).doctor },
  completion: { help: completionHelp, load: async () => (await import("./completion.ts")).completion },
};
