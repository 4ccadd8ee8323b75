import type { GroupScope } from "./permission-groups.ts";
import { invalidTokenBody, type BodyPath } from "./token-error.ts";
import { errorCodes } from "../error-codes.ts";
import { invalidBody } from "../error.ts";

/** An entry of a policy's `resources`; the id `*` stands for all. */
export type ResourceScope =
  | { readonly type: "account"; readonly id: string }
  | { readonly type: "zone"; readonly id: string }
  | { readonly type: "zones-of-account"; readonly accountId: string }
  | { readonly type: "user"; readonly id: string };

/** A policy's `resources` in bodies and answers. */
type ResourceMap = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

export function groupScopeOf({ type }: ResourceScope): Exclude<GroupScope, "r2-bucket"> {
  return type === "zones-of-account" ? "zone" : type;
}

/**
 * The resource that a group of a scope reaches through another: that resource itself, or for a zone group on
 * an account all of its zones. Undefined if the group does not fit.
 */
export function reachOf(resource: ResourceScope, scope: GroupScope): ResourceScope | undefined {
  if (groupScopeOf(resource) === scope) return resource;
  if (resource.type === "account" && scope === "zone") {
    return { type: "zones-of-account", accountId: resource.id };
  }
  return undefined;
}

/**
 * Parses `resources` in any of the six forms of docs/contract/tokens.md#resource-keys; `path` is its place in
 * the body. Errors: 400 code 1001 at the first entry of another form.
 */
export function parseResources(
  resources: Readonly<Record<string, unknown>>,
  vendor: string,
  path: BodyPath,
): ResourceScope[] {
  return Object.entries(resources).map(([key, value]) => parseResource(key, value, vendor, [...path, key]));
}

/**
 * Prints resources in the form of bodies. An account and all of its zones have the same key, so one policy
 * cannot contain both.
 */
export function printResources(scopes: readonly ResourceScope[], vendor: string): ResourceMap {
  return Object.fromEntries(
    scopes.map((scope) => [
      printResourceKey(scope, vendor),
      scope.type === "zones-of-account" ? { [allZones(vendor)]: "*" } : "*",
    ]),
  );
}

/** Prints a key: `com.cloudflare.api.account.zone.<id>`. */
export function printResourceKey(scope: ResourceScope, vendor: string): string {
  switch (scope.type) {
    case "user":
      return `com.${vendor}.api.user.${scope.id}`;
    case "account":
      return `com.${vendor}.api.account.${scope.id}`;
    case "zones-of-account":
      return `com.${vendor}.api.account.${scope.accountId}`;
    case "zone":
      return `com.${vendor}.api.account.zone.${scope.id}`;
  }
}

function allZones(vendor: string): string {
  return `com.${vendor}.api.account.zone.*`;
}

function parseResource(key: string, value: unknown, vendor: string, path: BodyPath): ResourceScope {
  const api = `com.${vendor}.api.`;
  if (key.startsWith(`com.${vendor}.edge.r2.bucket.`)) {
    throw invalidTokenBody(path, "there are no R2 buckets here");
  }
  const [, type, id = ""] = (key.startsWith(api) ? typeAndId.exec(key.slice(api.length)) : null) ?? [];
  if (type === undefined) {
    throw invalidTokenBody(
      path,
      `must be a key ${api}account.ID, ${api}account.zone.ID or ${api}user.ID, ` +
        "the ID 32 lower-case hexadecimal characters, or * for all accounts or zones",
    );
  }
  if (type === "account") {
    if (isAllZones(value, vendor)) return { type: "zones-of-account", accountId: id };
    if (value === "*") return { type, id };
    throw invalidTokenBody(path, `must be "*", or {"${allZones(vendor)}": "*"} for all zones of the account`);
  }
  if (value !== "*") throw invalidTokenBody(path, 'must be "*"');
  if (type === "account.zone") return { type: "zone", id };
  if (id === "*") throw invalidTokenBody(path, "must name the calling user, not all users");
  return { type: "user", id };
}

const typeAndId = /^(user|account|account\.zone)\.([0-9a-f]{32}|\*)$/;

function isAllZones(value: unknown, vendor: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  const entries = Object.entries(value);
  return entries.length === 1 && entries[0]?.[0] === allZones(vendor) && entries[0][1] === "*";
}

export interface ResourceGroupScopeBody {
  readonly key: string;
  readonly objects: readonly { readonly key: string }[];
}

/** The keys of the account of a group. `vendor` is the brand segment of keys. */
interface AccountKeys {
  readonly accountId: string;
  readonly vendor: string;
}

/**
 * Parses the scope of a resource group, without checking that its zones exist. Errors: 400 code 1001 for
 * another account, and at the first object that is not `*`, all zones or a zone.
 */
export function parseResourceGroupScope(
  { key, objects }: ResourceGroupScopeBody,
  { accountId, vendor }: AccountKeys,
): ResourceScope[] {
  const prefix = `com.${vendor}.api.account`;
  if (key !== `${prefix}.${accountId}`) throw refused("/scope/key", `must be ${prefix}.${accountId}`);
  return objects.map((object, index) => {
    if (object.key === "*") return { type: "account", id: accountId };
    if (object.key === `${prefix}.zone.*`) return { type: "zones-of-account", accountId };
    const [, id] = /^([0-9a-f]{32})$/.exec(object.key.replace(`${prefix}.zone.`, "")) ?? [];
    if (id !== undefined && object.key.startsWith(prefix)) return { type: "zone", id };
    throw refused(`/scope/objects/${index}/key`, `must be *, ${prefix}.zone.* or ${prefix}.zone.ID`);
  });
}

/** The inverse of `parseResourceGroupScope`. */
export function printResourceGroupScope(
  scopes: readonly ResourceScope[],
  { accountId, vendor }: AccountKeys,
): { key: string; objects: { key: string }[] } {
  const prefix = `com.${vendor}.api.account`;
  return {
    key: `${prefix}.${accountId}`,
    objects: scopes.map((scope) => {
      if (scope.type === "account") return { key: "*" };
      return { key: `${prefix}.zone.${scope.type === "zone" ? scope.id : "*"}` };
    }),
  };
}

function refused(pointer: string, rule: string): Error {
  return invalidBody(pointer, rule, errorCodes.members.invalid);
}
