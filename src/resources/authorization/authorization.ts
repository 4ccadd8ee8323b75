import type { Caller } from "../../core/policy/caller.ts";
import { LruMap } from "../../core/lru-map.ts";
import { errorCodes } from "../../core/error-codes.ts";
import {
  accountCreationDenied,
  AppError,
  invalidIdentifier,
  permissionDenied,
  forbidden,
} from "../../core/error.ts";
import { decide, hasAnyPermission } from "../../core/policy/evaluate.ts";
import { accountAccess } from "../../core/policy/permission-groups.ts";
import type { Permission } from "../../core/policy/permission.ts";
import { isVisibleZone } from "../../core/policy/visibility.ts";
import type { Database } from "../../storage/database.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { selectAccountOfZone, selectZone } from "../../operation/store.ts";
import { findOwner } from "../users/users.ts";
import { hasVisibleZone } from "../zones/zones.ts";

const accountsOfZonesMax = 10_000;

/** The ids in a path or body. */
type Names = Readonly<Record<string, string | undefined>>;

/**
 * Creates the function that decides whether a caller has the permission of a route; nothing else decides.
 * Errors: 404 code 1001 for a zone or account that does not exist or on which nothing is allowed; 403 code
 * 10000 where something else is allowed; 403 code 9109 on the user; 400 code 9106 for a token of an account
 * where only users are accepted; 403 code 0 for a zone and 403 code 1002 for an account that may not be
 * created.
 */
export function createAuthorizer({ read, onChange }: Pick<Database, "read" | "onChange">, vendor: string) {
  const accountsOfZones = new LruMap<string, string>(accountsOfZonesMax);
  onChange((changes) => {
    if (changes === undefined) accountsOfZones.clear();
    else for (const [id, parts] of changes.zones) if (parts.has("facts")) accountsOfZones.delete(id);
  });

  /** A zone never moves to another account. One that is gone meanwhile is refused where its row is locked. */
  const accountOfZone = async (id: string): Promise<Pick<ZoneRow, "account_id"> | undefined> => {
    const known = accountsOfZones.get(id);
    if (known !== undefined) return { account_id: known };
    const found = await selectAccountOfZone(read, id);
    if (found !== undefined) accountsOfZones.set(id, found.account_id);
    return found;
  };

  const authorizeOnZone = <Row extends Pick<ZoneRow, "account_id">>(
    { grants }: Caller,
    permission: Extract<Permission, { readonly on: "zone" | "visible-zone" | "queried-zones" }>,
    id: string,
    row: Row | undefined,
  ): Row => {
    const zone = row && ({ type: "zone", id, accountId: row.account_id } as const);
    if (row === undefined || zone === undefined || !hasAnyPermission(grants, zone)) {
      throw invalidIdentifier("zone");
    }
    const may =
      permission.on === "visible-zone"
        ? isVisibleZone(grants, zone)
        : decide(grants, permission.group, zone).allowed;
    if (!may) throw permissionDenied();
    return row;
  };

  return async function authorize(
    caller: Caller,
    permission: Permission,
    names: Names,
    { readsScopeLocked }: { readonly readsScopeLocked?: true } = {},
  ): Promise<ZoneRow | undefined> {
    switch (permission.on) {
      case "zone":
      case "visible-zone":
      case "queried-zones": {
        const id = names["zone_id"] ?? "";
        if (!readsScopeLocked) return authorizeOnZone(caller, permission, id, await selectZone(read, id));
        authorizeOnZone(caller, permission, id, await accountOfZone(id));
        return undefined;
      }
      case "account": {
        const id = names["account_id"] ?? "";
        const account = { type: "account", id } as const;
        const groups = permission.orAnyRole ? [accountAccess] : permission.groups;
        if (groups.some((group) => decide(caller.grants, group, account).allowed)) return undefined;
        throw (await isKnownAccount(read, caller, id)) ? permissionDenied() : invalidIdentifier("account");
      }
      case "user": {
        const { user, grants } = caller;
        if (user === undefined && permission.usersOnly) {
          throw new AppError(
            "invalid",
            errorCodes.permissions.usersOnly,
            "This endpoint does not support account owned tokens.",
            { beforeResource: true },
          );
        }
        if (user === undefined || !decide(grants, permission.group, { type: "user", id: user.id }).allowed) {
          throw new AppError(
            "forbidden",
            errorCodes.permissions.unauthorized,
            "Unauthorized to access requested resource",
            { beforeResource: true },
          );
        }
        return undefined;
      }
      case "new-account": {
        const { user, grants } = caller;
        if (user !== undefined && decide(grants, permission.group, { type: "user", id: user.id }).allowed)
          return undefined;
        throw accountCreationDenied();
      }
      case "new-zone": {
        const accountId = names["account_id"] ?? "";
        if (decide(caller.grants, permission.group, { type: "zones-of-account", accountId }).allowed)
          return undefined;
        if (!(await isKnownAccount(read, caller, accountId))) throw invalidIdentifier("account");
        const needed = `com.${vendor}.api.account.zone.create`;
        throw forbidden(
          errorCodes.permissions.zoneCreation,
          `Requires permission "${needed}" to create zones for the selected account`,
        );
      }
      case "listed":
        return undefined;
      case "server": {
        const { user, grants } = caller;
        const owner = await findOwner(read);
        if (user !== undefined && user.id === owner?.id) {
          if (decide(grants, permission.group, { type: "user", id: user.id }).allowed) return undefined;
        }
        throw permissionDenied();
      }
    }
  };
}

/** Whether anything is allowed on the account or on its zones. */
async function isKnownAccount(read: Db, { grants }: Caller, accountId: string): Promise<boolean> {
  // A body may hold any text.
  if (!/^[0-9a-f]{32}$/.test(accountId)) return false;
  return (
    hasAnyPermission(grants, { type: "account", id: accountId }) ||
    hasAnyPermission(grants, { type: "zones-of-account", accountId }) ||
    hasVisibleZone(read, grants, accountId)
  );
}
