import { commandHelp, gatewayHelp, generalHelp, tokenHelp, userHelp } from "./help.ts";
import { version } from "../version.ts";

const commandHelps: Readonly<Partial<Record<string, () => string>>> = {
  serve: commandHelp,
  token: tokenHelp,
  user: userHelp,
  gateway: gatewayHelp,
};

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
  const help = commandHelps[command];
  if (help === undefined) {
    process.stderr.write(`zoneward: unknown command \`${command}\`; see zoneward --help\n`);
    return usageError;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    process.stdout.write(help());
    return 0;
  }
  // Help and version come at once, without the server being loaded.
  if (command === "token") {
    const { token } = await import("./token.ts");
    return token(rest, env);
  }
  if (command === "user") {
    const { user } = await import("./user.ts");
    return user(rest, env);
  }
  if (command === "gateway") {
    const { gateway } = await import("./gateway.ts");
    return gateway(rest);
  }
  const { serve } = await import("./serve.ts");
  return serve(rest, env);
}
