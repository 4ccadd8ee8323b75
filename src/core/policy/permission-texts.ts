import { account, zone, type PermissionGroup } from "./permission-groups.ts";

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
