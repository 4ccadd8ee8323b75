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
} from "./help.ts";
import { clockHelp, faultHelp, journalHelp, resetHelp, snapshotHelp } from "./test-controls-help.ts";
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
  return commands[name].run(rest, env);
}

/** The text of `zoneward COMMAND --help`. */
export function commandHelp(name: CommandName): string {
  return commands[name].help();
}

interface Command {
  readonly help: () => string;
  readonly run: (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>;
}

/** All commands. Each is loaded when it runs, so that help and version are quick. */
const commands: Readonly<Record<CommandName, Command>> = {
  serve: {
    help: serveHelp,
    run: async (args, env) => (await import("./serve.ts")).serve(args, env),
  },
  edge: {
    help: edgeHelp,
    run: async (args, env) => (await import("./edge.ts")).edge(args, env),
  },
  token: {
    help: tokenHelp,
    run: async (args, env) => (await import("./token.ts")).token(args, env),
  },
  user: {
    help: userHelp,
    run: async (args, env) => (await import("./user.ts")).user(args, env),
  },
  waf: {
    help: wafHelp,
    run: async (args, env) => (await import("./waf.ts")).waf(args, env),
  },
  database: {
    help: databaseHelp,
    run: async (args, env) => (await import("./database.ts")).database(args, env),
  },
  secrets: {
    help: secretsHelp,
    run: async (args, env) => (await import("./secrets.ts")).secrets(args, env),
  },
  dns: {
    help: dnsHelp,
    run: async (args, env) => (await import("./dns.ts")).dns(args, env),
  },
  gateway: {
    help: gatewayHelp,
    run: async (args) => (await import("./gateway.ts")).gateway(args),
  },
  crs: {
    help: crsHelp,
    run: async (args) => (await import("./crs.ts")).crs(args),
  },
  expression: {
    help: expressionHelp,
    run: async (args) => (await import("./expression.ts")).runExpression(args),
  },
  fault: {
    help: faultHelp,
    run: async (args, env) => (await import("./fault.ts")).fault(args, env),
  },
  journal: {
    help: journalHelp,
    run: async (args, env) => (await import("./journal.ts")).journal(args, env),
  },
  reset: {
    help: resetHelp,
    run: async (args, env) => (await import("./reset.ts")).reset(args, env),
  },
  snapshot: {
    help: snapshotHelp,
    run: async (args, env) => (await import("./snapshot.ts")).snapshot(args, env),
  },
  clock: {
    help: clockHelp,
    run: async (args, env) => (await import("./clock.ts")).clock(args, env),
  },
  doctor: {
    help: doctorHelp,
    run: async (args, env) => (await import("./doctor.ts")).doctor(args, env),
  },
  completion: {
    help: completionHelp,
    run: async (args) => (await import("./completion.ts")).completion(args),
  },
};
