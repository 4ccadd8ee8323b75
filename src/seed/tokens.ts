import { parseZoneName } from "../core/dns/name.ts";
import { errorCodes } from "../core/error-codes.ts";
import { invalidRequest } from "../core/error.ts";
import { invalidTokenBody } from "../core/policy/token-error.ts";
import { bodyValidator } from "../api/validation.ts";
import { CreateTokenBody } from "../resources/tokens/schema.ts";
import { addToken, findTokenBySecret, operator, type TokenContext } from "../resources/tokens/tokens.ts";
import { isTokenSecret } from "../secrets/secrets.ts";
import type { Db } from "../storage/tables.ts";
import type { SeedToken } from "./schema.ts";

interface Names {
  readonly owner: { readonly userId: string; readonly email: string };
  readonly accounts: ReadonlyMap<string, string>;
  /** Ids by name; undefined for a zone that could not be created. */
  readonly zones: ReadonlyMap<string, string | undefined>;
}

const readBody = bodyValidator(CreateTokenBody);

/**
 * Creates a token of the owner or an account with the given secret. Its resource keys may give the names of
 * zones and accounts and the e-mail address of the owner instead of ids. Errors: as `createToken`; 400 code
 * 1001 for an unknown account, and for a secret that is invalid or taken.
 */
export async function seedToken(
  context: TokenContext,
  tx: Db,
  { value, account, ...fields }: SeedToken,
  names: Names,
): Promise<void> {
  const body = withIds(readBody(fields), names, context.tokenSettings.vendor);
  if (!isTokenSecret(value)) {
    const rule =
      "must be 40 to 80 characters out of A-Z a-z 0-9 _ -; one that begins with zw_ needs a valid checksum";
    throw invalidRequest(errorCodes.tokens.invalid, rule, "/value");
  }
  if ((await findTokenBySecret(tx, value)) !== undefined) {
    throw invalidRequest(errorCodes.tokens.invalid, "another token has this value", "/value");
  }
  const accountId = account === undefined ? undefined : names.accounts.get(account);
  if (account !== undefined && accountId === undefined) {
    throw invalidRequest(errorCodes.tokens.invalid, `there is no account \`${account}\``, "/account");
  }
  const owner = accountId === undefined ? { userId: names.owner.userId } : { accountId };
  await addToken(context, tx, operator, owner, body, value);
}

function withIds(body: CreateTokenBody, names: Names, vendor: string): CreateTokenBody {
  const policies = body.policies.map((policy, index) => {
    const entries = Object.entries(policy.resources).map(([key, value]) => [
      keyWithId(key, names, { vendor, index }),
      value,
    ]);
    return { ...policy, resources: Object.fromEntries(entries) as typeof policy.resources };
  });
  return { ...body, policies };
}

/**
 * A resource key with the id in place of the name. Errors: 400 code 1001 for an unknown name. Malformed keys
 * are refused where keys are parsed.
 */
function keyWithId(
  key: string,
  { owner, accounts, zones }: Names,
  { vendor, index }: { readonly vendor: string; readonly index: number },
): string {
  const [, prefix, type, name = ""] = keyForm.exec(key) ?? [];
  if (prefix !== `com.${vendor}.api.` || idForm.test(name)) return key;
  const findId = {
    "account.zone": () => zones.get(parseZoneName(name) ?? name),
    account: () => accounts.get(name),
    user: () => (name === owner.email ? owner.userId : undefined),
  };
  const id = findId[type as keyof typeof findId]();
  if (id !== undefined) return `${prefix}${type}.${id}`;
  const noun = type === "account.zone" ? "zone" : type;
  throw invalidTokenBody(["policies", index, "resources", key], `there is no ${noun} \`${name}\``);
}

const keyForm = /^(com\.[^.]+\.api\.)(account\.zone|account|user)\.(.+)$/;
const idForm = /^(?:[0-9a-f]{32}|\*)$/;
