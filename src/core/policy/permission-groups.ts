import catalogue from "../../../catalogues/permission-groups.json" with { type: "json" };

const { $schema: _, ...groupIds } = catalogue;

/**
 * The ids of the public API's permission groups by scope and name
 * (docs/contract/tokens.md#permission-groups).
 */
export const permissionGroupCatalogue = groupIds;

export type GroupScope = keyof typeof permissionGroupCatalogue;

/** The names of a scope, unique within it only. */
export type GroupName<Scope extends GroupScope> = keyof (typeof permissionGroupCatalogue)[Scope] & string;

export interface PermissionGroup {
  readonly id: string;
  readonly name: string;
  readonly scope: GroupScope;
}

const scopes = Object.keys(permissionGroupCatalogue) as GroupScope[];

export const permissionGroups: readonly PermissionGroup[] = scopes
  .flatMap((scope) =>
    Object.entries(permissionGroupCatalogue[scope]).map(([name, id]) => ({ id, name, scope })),
  )
  .toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));

/**
 * Access to the account itself, `GET /accounts/{id}`, which every role has. Tokens cannot name it; *Account
 * Settings Read* includes it.
 */
export const accountAccess: PermissionGroup = {
  id: "88b456c3f99b45e89eeedfa1f2bd9d14",
  name: "Minimal Account Access",
  scope: "account",
};

const groupsById = new Map([...permissionGroups, accountAccess].map((group) => [group.id, group]));

export function findPermissionGroup(id: string): PermissionGroup | undefined {
  return groupsById.get(id);
}

/** Finds a group of zones: `zone("DNS Write")`. */
export function zone(name: GroupName<"zone">): PermissionGroup {
  return groupNamed(permissionGroupCatalogue.zone[name]);
}

/** Finds a group of accounts: `account("Account Settings Read")`. */
export function account(name: GroupName<"account">): PermissionGroup {
  return groupNamed(permissionGroupCatalogue.account[name]);
}

/** Finds a group of users: `user("API Tokens Write")`. */
export function user(name: GroupName<"user">): PermissionGroup {
  return groupNamed(permissionGroupCatalogue.user[name]);
}

function groupNamed(id: string): PermissionGroup {
  const group = findPermissionGroup(id);
  if (group === undefined) throw new Error(`no permission group ${id}`);
  return group;
}

const readGroups = new Map<PermissionGroup, PermissionGroup>();
const writeGroups = new Map<PermissionGroup, PermissionGroup>();

for (const write of permissionGroups) {
  const readName = write.name.replace(/\bWrite\b/, "Read");
  const readId = (permissionGroupCatalogue[write.scope] as Readonly<Record<string, string>>)[readName];
  const read = readId === undefined ? undefined : findPermissionGroup(readId);
  if (read === undefined || read === write) continue;
  readGroups.set(write, read);
  writeGroups.set(read, write);
}

/** The *Read* group that a *Write* group includes, by scope and name. */
export function readGroupOf(write: PermissionGroup): PermissionGroup | undefined {
  return readGroups.get(write);
}

export function writeGroupOf(read: PermissionGroup): PermissionGroup | undefined {
  return writeGroups.get(read);
}

const settingsRead = account("Account Settings Read");

/** A group with those that it includes. */
export function withIncludedGroups(group: PermissionGroup): readonly PermissionGroup[] {
  const read = readGroupOf(group);
  const included = read === undefined ? [group] : [group, read];
  return included.includes(settingsRead) ? [...included, accountAccess] : included;
}

export function withIncludingGroups(group: PermissionGroup): readonly PermissionGroup[] {
  if (group === accountAccess) return [group, ...withIncludingGroups(settingsRead)];
  const write = writeGroupOf(group);
  return write === undefined ? [group] : [group, write];
}

const scopeSuffixes: Readonly<Record<GroupScope, string>> = {
  user: "api.user",
  account: "api.account",
  zone: "api.account.zone",
  "r2-bucket": "edge.r2.bucket",
};

/** A scope in answers, with the setting `vendor`: `com.cloudflare.api.account.zone`. */
export function printScope(scope: GroupScope, vendor: string): string {
  return `com.${vendor}.${scopeSuffixes[scope]}`;
}

type Area = readonly [read: PermissionGroup | undefined, edit: PermissionGroup | undefined];

const areas: Readonly<Record<string, Area>> = {
  access: [zone("Access: Apps and Policies Read"), zone("Access: Apps and Policies Write")],
  analytics: [zone("Analytics Read"), undefined],
  app: [zone("Apps Write"), zone("Apps Write")],
  auditlogs: [account("Account Settings Read"), undefined],
  billing: [account("Billing Read"), account("Billing Write")],
  cache_purge: [undefined, zone("Cache Purge")],
  dns_records: [zone("DNS Read"), zone("DNS Write")],
  lb: [zone("Load Balancers Read"), zone("Load Balancers Write")],
  legal: [account("Trust and Safety Read"), account("Trust and Safety Write")],
  logs: [zone("Logs Read"), zone("Logs Write")],
  member: [account("Account Settings Read"), account("Account Settings Write")],
  organization: [account("Account Settings Read"), account("Account Settings Write")],
  ssl: [zone("SSL and Certificates Read"), zone("SSL and Certificates Write")],
  stream: [account("Stream Read"), account("Stream Write")],
  subscription: [account("Billing Read"), account("Billing Write")],
  waf: [zone("Zone WAF Read"), zone("Zone WAF Write")],
  webhooks: [account("Notifications Read"), account("Notifications Write")],
  worker: [zone("Workers Routes Read"), zone("Workers Routes Write")],
  zone: [zone("Zone Read"), zone("Zone Write")],
  zone_settings: [zone("Zone Settings Read"), zone("Zone Settings Write")],
};

const texts = Object.entries(areas)
  .flatMap(([area, [read, edit]]) => [
    { text: `#${area}:edit`, group: edit },
    { text: `#${area}:read`, group: read },
  ])
  .toSorted((one, other) => (one.text < other.text ? -1 : 1));

/**
 * Permissions as zones and the organizations of a user have them: `#dns_records:edit`, in alphabetical order.
 */
export function permissionTexts(isAllowed: (group: PermissionGroup) => boolean): string[] {
  return texts.filter(({ group }) => group !== undefined && isAllowed(group)).map(({ text }) => text);
}
