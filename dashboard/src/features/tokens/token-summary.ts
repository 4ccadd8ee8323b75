import type { TokenPermissionGroup } from "../../../../src/resources/tokens/schema.ts";
import type { PolicyDraft, TokenDraft } from "./token-draft.ts";

/** Names of zones and accounts by their ids. */
export type Names = ReadonlyMap<string, string>;

const groupsNamed = 4;

export function policySentence(
  { effect, groupIds, ...policy }: PolicyDraft,
  groups: readonly TokenPermissionGroup[],
  names: Names,
): string {
  const granted = groupIds.map((id) => groups.find((group) => group.id === id)?.name ?? id);
  const all = granted.length > groupsNamed ? `${granted.length} permissions` : listed(granted);
  const verb = effect === "allow" ? "May use" : "May never use";
  return `${verb} ${all || "nothing yet"} on ${resourcesOf(policy, names)}.`;
}

function resourcesOf({ extent, ids }: Pick<PolicyDraft, "extent" | "ids">, names: Names): string {
  const chosen = listed(ids.map((id) => names.get(id) ?? id));
  switch (extent) {
    case "all-zones":
      return "all zones of all your accounts";
    case "zones-of-accounts":
      return `all zones of ${chosen || "no account yet"}`;
    case "zones":
      return chosen || "no zone yet";
    case "all-accounts":
      return "all your accounts";
    case "accounts":
      return chosen ? `the account ${chosen}` : "no account yet";
    case "user":
      return "your user";
  }
}

const listFormat = new Intl.ListFormat("en", { type: "conjunction" });
const listed = (texts: readonly string[]): string => listFormat.format(texts);

const date = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "short" });

/** From where and when a token may be used, as sentences; none without a restriction. */
export function restrictionSentences({
  allowFrom,
  denyFrom,
  notBefore,
  expiresOn,
}: TokenDraft): readonly string[] {
  return [
    ...(allowFrom.length > 0 ? [`Valid only from ${listed(allowFrom)}.`] : []),
    ...(denyFrom.length > 0 ? [`Not valid from ${listed(denyFrom)}.`] : []),
    ...(notBefore === "" ? [] : [`Valid from ${date.format(new Date(notBefore))} on.`]),
    ...(expiresOn === "" ? [] : [`Expires on ${date.format(new Date(expiresOn))}.`]),
  ];
}

const makesTokens = /^(?:Account )?API Tokens Write$/;
const seesTokens = /^(?:Account )?API Tokens Read$/;

/**
 * The kind of a token that can create tokens: `alone` if it can do nothing else, `mixed` if it can, undefined if it
 * cannot create any (docs/decisions/0004-initial-token.md).
 */
export function tokenMaking(
  { policies }: TokenDraft,
  groups: readonly TokenPermissionGroup[],
): "alone" | "mixed" | undefined {
  const allowed = new Set(
    policies.filter(({ effect }) => effect === "allow").flatMap(({ groupIds }) => groupIds),
  );
  const names = groups.filter(({ id }) => allowed.has(id)).map(({ name }) => name);
  if (!names.some((name) => makesTokens.test(name))) return undefined;
  return names.every((name) => makesTokens.test(name) || seesTokens.test(name)) ? "alone" : "mixed";
}
