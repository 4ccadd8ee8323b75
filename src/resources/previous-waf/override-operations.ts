import { addWafOverride, findWafOverride, toColumns, toWafOverride } from "./overrides.ts";
import { WafOverride, WafOverrideBody } from "./schema.ts";
import { previousWafList, previousWafRead, previousWafWrite } from "./scope.ts";
import { selectWafOverrides } from "./store.ts";
import { deleteRow, updateRow } from "../../storage/rows.ts";
import { IdOnly } from "../../operation/schema.ts";

const path = "/zones/{zone_id}/firewall/waf/overrides";
const read = "Firewall Services Read";
const write = "Firewall Services Write";

export const listWafOverrides = previousWafList({
  name: "listWafOverrides",
  summary: "List the URI-based WAF overrides of a zone",
  path,
  permission: read,
  result: WafOverride,
  list: { orderings: ["priority"], perPageMax: 1_000 },
  run: async ({ db, zone }, { page }) => {
    const { items, totalCount } = await selectWafOverrides(db, zone.id, page);
    return { items: items.map(toWafOverride), totalCount };
  },
});

/** Errors: as `addWafOverride`. */
export const createWafOverride = previousWafWrite({
  name: "createWafOverride",
  summary: "Create a URI-based WAF override",
  method: "POST",
  path,
  permission: write,
  body: WafOverrideBody,
  result: WafOverride,
  run: async (work, { body }) => {
    const after = toWafOverride(await addWafOverride(work, body));
    work.audit({ action: "waf_override_add", id: after.id, after });
    return after;
  },
});

/** Errors: 404 code 1002. */
export const getWafOverride = previousWafRead({
  name: "getWafOverride",
  summary: "Get a URI-based WAF override",
  path: `${path}/{override_id}`,
  permission: read,
  result: WafOverride,
  run: async ({ db, zone }, { params }) =>
    toWafOverride(await findWafOverride(db, zone.id, params.override_id)),
});

/** Errors: as `addWafOverride`, and 404 code 1002. */
export const replaceWafOverride = previousWafWrite({
  name: "replaceWafOverride",
  summary: "Replace a URI-based WAF override; fields left out get their defaults",
  method: "PUT",
  path: `${path}/{override_id}`,
  permission: write,
  body: WafOverrideBody,
  result: WafOverride,
  run: async ({ tx, zone, audit }, { params, body }) => {
    const row = await findWafOverride(tx, zone.id, params.override_id);
    const changed = { ...row, ...toColumns(body, zone) };
    await updateRow(tx, "waf_overrides", changed.id, changed);
    const [before, after] = [toWafOverride(row), toWafOverride(changed)];
    audit({ action: "waf_override_edit", id: row.id, before, after });
    return after;
  },
});

/** Errors: 404 code 1002. */
export const deleteWafOverride = previousWafWrite({
  name: "deleteWafOverride",
  summary: "Delete a URI-based WAF override",
  method: "DELETE",
  path: `${path}/{override_id}`,
  permission: write,
  result: IdOnly,
  run: async ({ tx, zone, audit }, { params: { override_id: id } }) => {
    const before = toWafOverride(await findWafOverride(tx, zone.id, id));
    await deleteRow(tx, "waf_overrides", id);
    audit({ action: "waf_override_delete", id, before });
    return { id };
  },
});
