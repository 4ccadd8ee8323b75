import { listsNamedIn } from "../../core/expression/named-lists.ts";
import { listNamesIn } from "../../core/rulesets/named-lists.ts";
import { fromJson, matchesText, type ColumnTypes } from "../columns.ts";
import type { Db } from "../tables.ts";
import type { ListReferenceRow } from "../tables/lists.ts";
import type { SchemaChange } from "./schema-change.ts";

export const createLists: SchemaChange = async (db, columns) => {
  await createTables(db, columns);
  await createReferences(db, columns);
  await addReferencesOfRulesets(db);
  await addReferencesOfFilters(db);
};

async function createTables(db: Db, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("lists")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id").onDelete("cascade"))
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("description", text)
    .addColumn("item_count", "integer", (column) => column.notNull())
    .addColumn("items_version", "integer", (column) => column.notNull())
    .addColumn("created_on", text, (column) => column.notNull())
    .addColumn("modified_on", text, (column) => column.notNull())
    .addUniqueConstraint("lists_name", ["account_id", "name"])
    .execute();
  await db.schema
    .createTable("list_items")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("list_id", text, (column) => column.notNull().references("lists.id").onDelete("cascade"))
    .addColumn("item_key", text, (column) => column.notNull())
    .addColumn("value", text, (column) => column.notNull())
    .addColumn("comment", text)
    .addColumn("searched", text, (column) => column.notNull())
    .addColumn("created_on", text, (column) => column.notNull())
    .addColumn("modified_on", text, (column) => column.notNull())
    .addUniqueConstraint("list_items_key", ["list_id", "item_key"])
    .execute();
  await db.schema
    .createTable("list_operations")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id").onDelete("cascade"))
    .addColumn("list_id", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("error", text)
    .addColumn("change", text)
    .addColumn("requested_by", text)
    .addColumn("created_on", text, (column) => column.notNull())
    .addColumn("ended_on", text)
    .execute();
  await db.schema
    .createIndex("list_operations_account")
    .on("list_operations")
    .columns(["account_id", "created_on"])
    .execute();
}

async function createReferences(db: Db, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("list_references")
    .addColumn("referrer_id", text, (column) => column.notNull())
    .addColumn("list_name", text, (column) => column.notNull())
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id").onDelete("cascade"))
    .addColumn("ruleset_id", text, (column) => column.references("rulesets.id").onDelete("cascade"))
    .addColumn("filter_id", text, (column) => column.references("filters.id").onDelete("cascade"))
    .addColumn("uses", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("list_references_key", ["referrer_id", "list_name"])
    .execute();
  await db.schema
    .createIndex("list_references_list")
    .on("list_references")
    .columns(["account_id", "list_name"])
    .execute();
  for (const column of ["ruleset_id", "filter_id"] as const) {
    await db.schema.createIndex(`list_references_${column}`).on("list_references").column(column).execute();
  }
}

/** Adds the references of rules that are older than lists. */
async function addReferencesOfRulesets(db: Db): Promise<void> {
  const rulesets = await db
    .selectFrom("rulesets")
    .innerJoin("ruleset_versions", (join) =>
      join
        .onRef("ruleset_versions.ruleset_id", "=", "rulesets.id")
        .onRef("ruleset_versions.version", "=", "rulesets.version"),
    )
    .leftJoin("zones", "zones.id", "rulesets.zone_id")
    .select(["rulesets.id", "ruleset_versions.rules"])
    .select(({ fn, ref }) =>
      fn.coalesce(ref("rulesets.account_id"), ref("zones.account_id")).as("account_id"),
    )
    .where(({ ref, or }) =>
      or(["$", "from_list"].map((text) => matchesText(ref("ruleset_versions.rules"), "contains", text))),
    )
    .execute();
  for (const { id, account_id, rules } of rulesets) {
    const names = listNamesIn(fromJson(rules));
    await addReferences(db, names, {
      referrer_id: id,
      account_id: account_id ?? "",
      ruleset_id: id,
      filter_id: null,
    });
  }
}

async function addReferencesOfFilters(db: Db): Promise<void> {
  const filters = await db
    .selectFrom("filters")
    .innerJoin("zones", "zones.id", "filters.zone_id")
    .select(["filters.id", "filters.expression", "zones.account_id"])
    .where(({ ref }) => matchesText(ref("filters.expression"), "contains", "$"))
    .execute();
  for (const { id, account_id, expression } of filters) {
    const names = new Set(listsNamedIn(expression).map(({ name }) => name));
    await addReferences(db, [...names], { referrer_id: id, account_id, ruleset_id: null, filter_id: id });
  }
}

async function addReferences(
  db: Db,
  names: readonly string[],
  referrer: Omit<ListReferenceRow, "list_name" | "uses">,
): Promise<void> {
  for (const list_name of new Set(names)) {
    const uses = names.filter((name) => name === list_name).length;
    await db
      .insertInto("list_references")
      .values({ ...referrer, list_name, uses })
      .execute();
  }
}
