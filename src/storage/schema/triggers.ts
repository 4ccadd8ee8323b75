import { accessChangesChannel } from "../postgres-watch.ts";

const all = ["insert", "delete", "update"];

/**
 * The changes that other instances must be told of, as they may concern the rights of a caller they remember; not the last use
 * of a token, which is written often. For SQLite, instances poll `data_version` instead.
 */
const accessChanges: Readonly<Record<string, readonly string[]>> = {
  users: all,
  memberships: all,
  resource_groups: all,
  user_groups: all,
  user_group_members: all,
  tokens: [
    "insert",
    "delete",
    "update of user_id, account_id, status, secret_hash, policies, condition, not_before, expires_on",
  ],
  sessions: ["delete"],
  accounts: ["update of enforces_two_factor"],
};

/** The statements that create the triggers of a store. */
export function triggersOf(engine: "sqlite" | "postgres"): string[] {
  if (engine === "sqlite") return [];
  const announce =
    "create function announce_access_change() returns trigger language plpgsql as " +
    `$$ begin perform pg_notify('${accessChangesChannel}', ''); return null; end $$`;
  const triggers = Object.entries(accessChanges).map(
    ([table, events]) =>
      `create trigger access_changed after ${events.join(" or ")} on ${table} ` +
      "for each statement execute function announce_access_change()",
  );
  return [announce, ...triggers];
}
