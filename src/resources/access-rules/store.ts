import type { Expression, SqlBool } from "kysely";

import type { Page, PageRequest } from "../../core/page.ts";
import { matchesText } from "../../storage/columns.ts";
import { selectPage } from "../../storage/page.ts";
import type { Db } from "../../storage/tables.ts";
import type { AccessRuleRow } from "../../storage/schema/rules.ts";
import { searchedConfiguration } from "./configuration.ts";
import type { ListAccessRulesQuery } from "./schema.ts";

const accessRuleOrderings = {
  "configuration.target": "target",
  "configuration.value": "value",
  mode: "mode",
} as const;
export type AccessRuleOrdering = keyof typeof accessRuleOrderings;

export async function selectAccessRules(
  db: Db,
  scopeId: string,
  filter: ListAccessRulesQuery,
  page: PageRequest<AccessRuleOrdering>,
): Promise<Page<AccessRuleRow>> {
  const query = db
    .selectFrom("access_rules")
    .where("scope_id", "=", scopeId)
    .where(({ ref, eb, and, or }) => {
      const conditions: Expression<SqlBool>[] = [];
      if (filter.mode) conditions.push(eb("mode", "=", filter.mode));
      const { target, value } = searchedConfiguration(
        filter["configuration.target"],
        filter["configuration.value"],
      );
      const { notes } = filter;
      if (target) conditions.push(eb("target", "=", target));
      if (value?.endsWith("*")) {
        const prefix = value.slice(0, -1);
        conditions.push(
          or([
            matchesText(ref("value"), "startswith", prefix),
            matchesText(ref("full_value"), "startswith", prefix.toLowerCase()),
          ]),
        );
      } else if (value) conditions.push(eb("value", "=", value));
      if (notes) conditions.push(matchesText(ref("notes_folded"), "contains", notes.toLowerCase()));
      if (conditions.length === 0) return eb.lit(true);
      return filter.match === "any" ? or(conditions) : and(conditions);
    });
  return selectPage(
    query.selectAll().orderBy(accessRuleOrderings[page.order], page.direction).orderBy("id", page.direction),
    page,
  );
}

/** The rules of any of these scopes, about any of these values if they are given; the oldest first. */
export async function selectAccessRulesAbout(
  db: Db,
  scopeIds: readonly string[],
  values: readonly string[] | undefined,
): Promise<AccessRuleRow[]> {
  if (values?.length === 0) return [];
  return db
    .selectFrom("access_rules")
    .selectAll()
    .where("scope_id", "in", scopeIds)
    .$if(values !== undefined, (query) => query.where("value", "in", values ?? []))
    .orderBy("created_on")
    .orderBy("id")
    .execute();
}
