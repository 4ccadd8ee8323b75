import { useQueries } from "@tanstack/react-query";

import { call, wholeList } from "../../api/call.ts";
import { callOptions, useApi } from "../../api/query.ts";
import type { TokenDraft } from "./token-draft.ts";
import type { Names } from "./token-summary.ts";

/** The names of the zones and accounts that a draft has by their ids. */
export function useResourceNames({ policies }: TokenDraft): Names {
  const zoneIds = [...new Set(policies.filter(({ extent }) => extent === "zones").flatMap(({ ids }) => ids))];
  const accounts = useApi(call("listAccounts", {}, wholeList)).data?.result ?? [];
  const zones = useQueries({ queries: zoneIds.map((id) => callOptions(call("getZone", { zone_id: id }))) });
  return new Map([
    ...accounts.map(({ id, name }) => [id, name] as const),
    ...zones.flatMap(({ data }) => (data === undefined ? [] : [[data.result.id, data.result.name] as const])),
  ]);
}
