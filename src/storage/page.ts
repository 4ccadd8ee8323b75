import type { SelectQueryBuilder } from "kysely";

import type { Page, PageRequest } from "../core/page.ts";

/** One page of the results of an ordered query, and the number of all results. */
export async function selectPage<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  { page, perPage }: Pick<PageRequest, "page" | "perPage">,
): Promise<Page<Row>> {
  const items = await query
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  // A list that fits on the first page is not counted, so its length always agrees with the page.
  const isWhole = page === 1 && items.length < perPage;
  return { items, totalCount: isWhole ? items.length : await countRows(query) };
}

export async function countRows<DB, Table extends keyof DB>(
  query: SelectQueryBuilder<DB, Table, unknown>,
): Promise<number> {
  const { total } = await query
    .clearSelect()
    .clearOrderBy()
    .select(({ fn }) => fn.countAll().as("total"))
    .$castTo<{ readonly total: string | number | bigint }>()
    .executeTakeFirstOrThrow();
  return Number(total);
}
