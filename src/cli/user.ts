import { readConfig } from "../config.ts";
import { createContext, openExistingStore } from "../open-store.ts";
import { createUser } from "../resources/users/users.ts";
import { runToEnd, takeFlags, UsageError } from "./command-line.ts";

/** `zoneward user`: the operator makes another user on the host, also while a server runs on the same store. */
export async function user(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [command = "", ...rest] = args;
  return runToEnd(async () => {
    if (command !== "create") {
      throw new UsageError(`unknown command \`user ${command}\`; see zoneward user --help`);
    }
    await create(rest, env);
  });
}

/** Prints the Global API Key, this once. */
async function create(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { taken, others } = takeFlags(args, ["email", "account", "role"]);
  const { email, account, role } = taken;
  if (email === undefined) throw new UsageError("--email: is required");
  if (role !== undefined && account === undefined) {
    throw new UsageError("--role: needs --account as well");
  }
  const membership = account === undefined ? undefined : { account, ...(role !== undefined && { role }) };
  const { config } = await readConfig(others, env);
  const db = await openExistingStore(config);
  try {
    const operator = { interface: "CLI" } as const;
    const created = await createUser(createContext(db), operator, {
      email,
      ...(membership && { membership }),
    });
    const rows = [
      ["User id", created.id],
      ["E-mail", created.email],
      ["Global API Key", `${created.key}  (shown once, not stored)`],
      ...(created.account ? [["Member of", `${created.account.name} (${created.account.role})`]] : []),
    ];
    process.stdout.write(rows.map(([label = "", value = ""]) => `${label.padEnd(15)} ${value}\n`).join(""));
  } finally {
    await db.close();
  }
}
