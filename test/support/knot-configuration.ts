import { userInfo } from "node:os";

export interface KnotSetup {
  /** The directory of its databases. */
  readonly directory: string;
  readonly port: number;
  /** Port of Zoneward at 127.0.0.1, the remote `zoneward` of its zones. */
  readonly zonewardPort: number | string;
  /** The key with which both sign. */
  readonly key?: { readonly name: string; readonly secret: string };
  /** The permissions of the access list `zoneward` of its zones. */
  readonly permits: "notify" | "transfer";
  /** The sections about zones. */
  readonly zones: string;
}

/** The configuration file of a Knot beside Zoneward. */
export function knotConfiguration({ directory, port, zonewardPort, key, permits, zones }: KnotSetup): string {
  const signed = key === undefined ? "" : `\n    key: ${key.name}.`;
  const keys =
    key === undefined
      ? ""
      : `key:
  - id: ${key.name}.
    algorithm: hmac-sha256
    secret: ${key.secret}
`;
  return `server:
    listen: 127.0.0.1@${port}
    rundir: "${directory}"
    user: ${userInfo().username}
log:
  - target: stderr
    any: info
database:
    storage: "${directory}"
    journal-db-max-size: 2G
${keys}remote:
  - id: zoneward
    address: 127.0.0.1@${zonewardPort}${signed}
acl:
  - id: zoneward
    address: 127.0.0.1${signed}
    action: ${permits}
${zones}`;
}

/** The zones of a Knot that follows a catalog zone. */
export const knotCatalog = (catalog: string): string => `template:
  - id: followed
    master: zoneward
    acl: zoneward
    zonefile-sync: -1
    zonefile-load: none
    journal-content: all
zone:
  - domain: ${catalog}.
    template: followed
    catalog-role: interpret
    catalog-template: followed
`;
