import { useQueries } from "@tanstack/react-query";

import { listAccounts } from "../../api/accounts.ts";
import { callOptions, useApi } from "../../api/query.ts";
import { zoneOf } from "../../api/zones.ts";
import type { TokenDraft } from "./token-draft.ts";
import type { Names } from "./token-summary.ts";

/** The names of the zones and accounts that a draft has by their ids. */
export function useResourceNames({ policies }: TokenDraft): Names {
  const zoneIds = [...new Set(policies.filter(({ extent }) => extent === "zones").flatMap(({ ids }) => ids))];
  const accounts = useApi(listAccounts).data?.result ?? [];
  const zones = useQueries({ queries: zoneIds.map((id) => callOptions(zoneOf(id))) });
  return new Map([
    ...accounts.map(({ id, name }) => [id, name] as const),
    ...zones.flatMap(({ data }) => (data === undefined ? [] : [[data.result.id, data.result.name] as const])),
  ]);
}
