import { readFileSync } from "node:fs";

import { AppError } from "../core/error.ts";
import { bodyValidator } from "../api/validation.ts";
import { createContext, tokenSettingsOf } from "../process/open-store.ts";
import { findAccountCalled } from "../resources/accounts/accounts.ts";
import { CreateTokenBody, type Token } from "../resources/tokens/schema.ts";
import {
  changeTokens,
  issueToken,
  listTokens,
  operator,
  policiesOfTemplate,
  removeToken,
  tokenTemplates,
  type TokenContext,
  type TokenOwner,
} from "../resources/tokens/tokens.ts";
import { findOwner, findUserByEmail } from "../resources/users/users.ts";
import {
  readCommand,
  runToEnd,
  UsageError,
  unknownCommand,
  withExistingStore,
  printable,
} from "./command-line.ts";

/** The largest quota of tokens. */
const tokensMax = 100_000;
const ownerFlags = ["user", "account"] as const;
const tokenFlags = [
  "template",
  "policies",
  "name",
  "not-before",
  "expires-on",
  "allow-from",
  ...ownerFlags,
] as const;

type OwnerFlags = Partial<Record<(typeof ownerFlags)[number], string>>;
type TokenFlags = Partial<Record<(typeof tokenFlags)[number], string>>;

interface Holder {
  readonly owner: TokenOwner;
  readonly name: string;
}

/** `zoneward token`: creates, lists and revokes tokens on the host, even while a server runs on the same store. */
export async function token(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [command = "", ...rest] = args;
  return runToEnd(async () => {
    switch (command) {
      case "create":
        return create(rest, env);
      case "list":
        return list(rest, env);
      case "revoke":
        return revoke(rest, env);
      default:
        throw unknownCommand("token", command);
    }
  });
}

/** Creates a token. Only the secret goes to standard output. */
async function create(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values, settings } = readCommand(args, { flags: tokenFlags });
  const readBody = bodyReader(values);
  await withHolder(values, settings, env, async (context, { owner, name }) => {
    const created = await inWordsOfFlags(values, async () => {
      const body = readBody(owner, context.tokenSettings.vendor);
      return changeTokens(context, owner, (work) => issueToken(work, operator, body));
    });
    process.stdout.write(`${created.token.value}\n`);
    const said = [
      `Token \`${printable(created.token.name)}\` of ${name}, id ${created.token.id}.`,
      "Its secret is on standard output, only this once: Zoneward stores just a hash of it.",
      ...created.advice,
    ];
    process.stderr.write(said.map((line) => `${line}\n`).join(""));
  });
}

async function list(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values, settings } = readCommand(args, { flags: ownerFlags });
  await withHolder(values, settings, env, async (context, { owner }) => {
    const rows = (await allTokens(context, owner)).map((item) => [
      item.id,
      printable(item.name),
      item.status,
      item.expires_on ?? "never",
      item.last_used_on ?? "never",
    ]);
    process.stdout.write(renderTable(["ID", "NAME", "STATUS", "EXPIRES", "LAST USED"], rows));
  });
}

async function revoke(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values, positionals, settings } = readCommand(args, { flags: ownerFlags, positionalsMax: 1 });
  const [called] = positionals;
  if (called === undefined) throw new UsageError("token revoke needs an id or name");
  await withHolder(values, settings, env, async (context, { owner, name }) => {
    const tokens = await allTokens(context, owner);
    const byId = tokens.filter(({ id }) => id === called);
    const [found, ...more] = byId.length > 0 ? byId : tokens.filter((item) => item.name === called);
    if (found === undefined) throw new Error(`${name} has no token \`${called}\``);
    if (more.length > 0) {
      const ids = [found, ...more].map(({ id }) => id).join(", ");
      throw new Error(`${name} has more than one token \`${called}\`: use an id instead, one of ${ids}`);
    }
    await changeTokens(context, owner, (work) => removeToken(work, found.id));
    process.stderr.write(`Revoked token \`${printable(found.name)}\` of ${name}, id ${found.id}.\n`);
  });
}

async function withHolder(
  flags: OwnerFlags,
  settings: readonly string[],
  env: NodeJS.ProcessEnv,
  work: (context: TokenContext, holder: Holder) => Promise<void>,
): Promise<void> {
  if (flags.user !== undefined && flags.account !== undefined) {
    throw new UsageError("--account: cannot be given together with --user");
  }
  await withExistingStore(settings, env, async (db, config) => {
    const context: TokenContext = {
      ...createContext(db),
      tokenSettings: tokenSettingsOf(config),
      // A running server notices changes of its store by itself.
    };
    await work(context, await findHolder(context, flags));
  });
}

async function findHolder(
  { db: { read } }: TokenContext,
  { user: email, account: accountId }: OwnerFlags,
): Promise<Holder> {
  if (accountId !== undefined) {
    const { id, name } = await findAccountCalled(read, accountId);
    return { owner: { accountId: id }, name: `account ${printable(name)}` };
  }
  const user = email === undefined ? await findOwner(read) : await findUserByEmail(read, email);
  if (user === undefined) {
    throw new Error(
      email === undefined
        ? "the store has no owner yet: start the server first"
        : `there is no user ${email}`,
    );
  }
  return { owner: { userId: user.id }, name: user.email };
}

async function allTokens(context: TokenContext, owner: TokenOwner): Promise<readonly Token[]> {
  const page = { page: 1, perPage: tokensMax, order: "issued_on", direction: "asc" } as const;
  const work = { db: context.db.read, owner, context, now: context.now() };
  return (await listTokens(work, { include_expired: true }, page)).items;
}

/** Reads the flags before a store is opened; the body that they stand for depends on the token's owner. */
function bodyReader(flags: TokenFlags): (owner: TokenOwner, vendor: string) => CreateTokenBody {
  const { template: templateName, policies, name } = flags;
  if (templateName !== undefined && policies !== undefined) {
    throw new UsageError("--policies: cannot be given together with --template");
  }
  const template = tokenTemplates.find((known) => known === (templateName ?? "create-tokens"));
  if (template === undefined)
    throw new UsageError(`--template: must be one of: ${tokenTemplates.join(", ")}`);
  const given = policies === undefined ? undefined : readPolicies(policies);
  const addresses = addressesOf(flags);
  const validate = bodyValidator(CreateTokenBody);
  return (owner, vendor) =>
    validate({
      name: name ?? (given === undefined ? template : "policies"),
      policies: given ?? policiesOfTemplate(template, owner, vendor),
      not_before: flags["not-before"] ?? null,
      expires_on: flags["expires-on"] ?? null,
      condition: addresses === undefined ? null : { "request.ip": { in: addresses } },
    });
}

/** The flags that fill a token's body, by the pointer to the place that they fill. */
const flagsByPlace: ReadonlyMap<string, keyof TokenFlags> = new Map([
  ["policies", "policies"],
  ["name", "name"],
  ["not_before", "not-before"],
  ["expires_on", "expires-on"],
  ["condition", "allow-from"],
]);

/** Names the flag in errors about a body that flags filled, as the user of a command does not know the body. */
async function inWordsOfFlags<T>(flags: TokenFlags, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.pointer === undefined) throw error;
    const { message, pointer } = error;
    const [, place = "", ...inPlace] = pointer.split("/");
    const said = `Invalid body \`${pointer.slice(1)}\`: `;
    const flag = flagsByPlace.get(place);
    if (flag === undefined || !message.startsWith(said)) throw error;
    const part = flag === "allow-from" ? addressesOf(flags)?.[Number(inPlace.at(-1))] : inPlace.join("/");
    const where = part ? ` \`${part}\`` : "";
    throw new Error(`--${flag}:${where} ${message.slice(said.length)}`, { cause: error });
  }
}

function addressesOf(flags: TokenFlags): string[] | undefined {
  return flags["allow-from"]?.split(",").map((entry) => entry.trim());
}

function readPolicies(fileOrJson: string): unknown {
  const isJson = fileOrJson.trimStart().startsWith("[");
  try {
    return JSON.parse(isJson ? fileOrJson : readFileSync(fileOrJson, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--policies: cannot be read: ${reason}`);
  }
}

function renderTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [titles, ...rows]
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
