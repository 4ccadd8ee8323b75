import type { Page, PageRequest } from "../../core/page.ts";
import { matchesText } from "../../storage/columns.ts";
import { selectPage } from "../../storage/page.ts";
import type { Db } from "../../storage/tables.ts";
import type { FilterRow, FirewallRuleRow } from "../../storage/schema/rules.ts";
import type { ListFiltersQuery, ListFirewallRulesQuery } from "./schema.ts";

export async function selectFilters(
  db: Db,
  zoneId: string,
  filter: ListFiltersQuery,
  page: PageRequest<"id">,
): Promise<Page<FilterRow>> {
  let query = db.selectFrom("filters").where("zone_id", "=", zoneId);
  const { id, paused, expression, description, ref: tag } = filter;
  if (id) query = query.where("id", "=", id);
  if (paused !== undefined) query = query.where("paused", "=", paused ? 1 : 0);
  if (tag) query = query.where("ref", "=", tag);
  if (expression) {
    query = query.where(({ ref, fn }) =>
      matchesText(fn<string>("lower", [ref("expression")]), "contains", expression.toLowerCase()),
    );
  }
  if (description) {
    query = query.where(({ ref, fn }) =>
      matchesText(fn<string>("lower", [ref("description")]), "contains", description.toLowerCase()),
    );
  }
  return selectPage(query.selectAll().orderBy("id", page.direction), page);
}

/** The columns that answers show. */
export type ShownFilter = Omit<FilterRow, "zone_id" | "expression_hash">;

/** A rule with its filter, which is undefined once it is deleted. */
export type RuleWithFilter = FirewallRuleRow & {
  readonly filter: ShownFilter | undefined;
};

export async function selectFirewallRule(
  db: Db,
  zoneId: string,
  id: string,
): Promise<RuleWithFilter | undefined> {
  const row = await rulesWithFilters(db, zoneId).where("firewall_rules.id", "=", id).executeTakeFirst();
  return row && withFilter(row);
}

export async function selectFirewallRules(
  db: Db,
  zoneId: string,
  filter: ListFirewallRulesQuery,
  page: PageRequest<"id">,
): Promise<Page<RuleWithFilter>> {
  let query = rulesWithFilters(db, zoneId);
  const { id, action, paused, description } = filter;
  if (id) query = query.where("firewall_rules.id", "=", id);
  if (action) query = query.where("action", "=", action);
  if (paused !== undefined) query = query.where("firewall_rules.paused", "=", paused ? 1 : 0);
  if (description) {
    query = query.where(({ ref, fn }) =>
      matchesText(
        fn<string>("lower", [ref("firewall_rules.description")]),
        "contains",
        description.toLowerCase(),
      ),
    );
  }
  const { items, totalCount } = await selectPage(query.orderBy("firewall_rules.id", page.direction), page);
  return { items: items.map(withFilter), totalCount };
}

/** In the order of their creation. */
export async function selectFirewallRulesOfZones(
  db: Db,
  zoneIds: readonly string[],
): Promise<RuleWithFilter[]> {
  const rows = await rulesWithFilters(db, ...zoneIds)
    .orderBy("firewall_rules.id")
    .execute();
  return rows.map(withFilter);
}

function rulesWithFilters(db: Db, ...zoneIds: readonly string[]) {
  return db
    .selectFrom("firewall_rules")
    .leftJoin("filters", "filters.id", "firewall_rules.filter_id")
    .selectAll("firewall_rules")
    .select([
      "filters.id as f_id",
      "filters.expression as f_expression",
      "filters.paused as f_paused",
      "filters.description as f_description",
      "filters.ref as f_ref",
    ])
    .where("firewall_rules.zone_id", "in", zoneIds);
}

type JoinedRow = FirewallRuleRow & {
  readonly [Column in "id" | "expression" | "paused" | "description" | "ref" as `f_${Column}`]:
    | FilterRow[Column]
    | null;
};

function withFilter(row: JoinedRow): RuleWithFilter {
  const { f_id, f_expression, f_paused, f_description, f_ref, ...rule } = row;
  const filter =
    f_id === null
      ? undefined
      : {
          id: f_id,
          expression: f_expression ?? "",
          paused: f_paused ?? 0,
          description: f_description ?? "",
          ref: f_ref,
        };
  return { ...rule, filter };
}
