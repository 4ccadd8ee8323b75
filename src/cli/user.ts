import { createContext } from "../process/open-store.ts";
import { createSignInLink, resetTwoFactor, signInLink } from "../resources/sessions/sessions.ts";
import { createUser } from "../resources/users/users.ts";
import { publicUrlOf, type Config } from "../config/settings.ts";
import {
  readCommand,
  runToEnd,
  UsageError,
  unknownCommand,
  withExistingStore,
  printable,
} from "./command-line.ts";

const operator = { interface: "CLI" } as const;

/** `zoneward user`: creates users and sign-in links on the host, even while a server runs on the same store. */
export async function user(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [command = "", ...rest] = args;
  return runToEnd(async () => {
    if (command === "create") return create(rest, env);
    if (command === "sign-in-link") return makeSignInLink(rest, env);
    if (command === "reset-two-factor") return removeFactors(rest, env);
    throw unknownCommand("user", command);
  });
}

/** Prints the Global API Key and a sign-in link, only this once. */
async function create(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values, settings } = readCommand(args, { flags: ["email", "account", "role"] });
  const { email, account, role } = values;
  if (email === undefined) throw new UsageError("--email: is required");
  if (role !== undefined && account === undefined) {
    throw new UsageError("--role: needs --account as well");
  }
  const membership = account === undefined ? undefined : { account, ...(role !== undefined && { role }) };
  await withExistingStore(settings, env, async (db, config) => {
    const context = createContext(db);
    const created = await createUser(context, operator, {
      email,
      ...(membership && { membership }),
    });
    const token =
      config.dashboard === "on" ? await createSignInLink(context, operator, created.email) : undefined;
    const rows = [
      ["User id", created.id],
      ["E-mail", created.email],
      ["Global API Key", `${created.key}  (shown once, not stored)`],
      ...(token === undefined
        ? []
        : [["First sign-in", `${linkOf(config, token)}  (once, within 24 hours)`]]),
      ...(created.account
        ? [["Member of", `${printable(created.account.name)} (${created.account.role})`]]
        : []),
    ];
    process.stdout.write(rows.map(([label = "", value = ""]) => `${label.padEnd(15)} ${value}\n`).join(""));
  });
}

/** Prints a link for a user to set a password, the first one or a new one. */
async function makeSignInLink(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values, settings } = readCommand(args, { flags: ["email"] });
  const { email } = values;
  if (email === undefined) throw new UsageError("--email: is required");
  await withExistingStore(settings, env, async (db, config) => {
    const token = await createSignInLink(createContext(db), operator, email);
    process.stdout.write(`${linkOf(config, token)}\n`);
  });
}

/** Removes the second factors of a user, who then signs in with the password alone. */
async function removeFactors(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values, settings } = readCommand(args, { flags: ["email"] });
  const { email } = values;
  if (email === undefined) throw new UsageError("--email: is required");
  await withExistingStore(settings, env, async (db) => {
    const had = await resetTwoFactor(createContext(db), operator, email);
    const name = printable(email);
    process.stdout.write(had ? `${name} has no second factor any more\n` : `${name} had no second factor\n`);
  });
}

function linkOf(config: Config, token: string): string {
  return signInLink(publicUrlOf(config).href, token);
}
