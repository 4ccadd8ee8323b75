import {
  databaseHelp,
  dnsHelp,
  expressionHelp,
  gatewayHelp,
  generalHelp,
  secretsHelp,
  serveHelp,
  tokenHelp,
  userHelp,
  wafHelp,
} from "./help.ts";
import { version } from "../server/version.ts";

const usageError = 2;

/** Runs a command line and answers the exit code. */
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
  const found = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (found === undefined) {
    process.stderr.write(`zoneward: unknown command \`${command}\`; see zoneward --help\n`);
    return usageError;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    process.stdout.write(found.help());
    return 0;
  }
  return found.run(rest, env);
}

interface Command {
  readonly help: () => string;
  readonly run: (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>;
}

/** Each is loaded when it runs, so that help and version are quick. */
const commands: Readonly<Record<string, Command>> = {
  serve: {
    help: serveHelp,
    run: async (args, env) => (await import("./serve.ts")).serve(args, env),
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
  expression: {
    help: expressionHelp,
    run: async (args) => (await import("./expression.ts")).runExpression(args),
  },
};
