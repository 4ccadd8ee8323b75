import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import type { ApiError } from "../../api/api-error.ts";
import type { ApiCall } from "../../api/call.ts";
import { sendForText } from "../../api/send.ts";

/** The OpenAPI document of the server, as far as the dashboard reads it: operations by path and method. */
interface Reference {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ReferenceOperation>>>>;
}

interface ReferenceOperation {
  readonly summary: string;
  readonly "x-permission-groups"?: readonly { readonly id: string }[];
}

const openApi: ApiCall<unknown> = { method: "GET", base: "", path: "/openapi.json" };

/** The summaries of the operations that each permission group opens, by the id of the group. */
export type OpenedOperations = ReadonlyMap<string, readonly string[]>;

export function useOpenedOperations(): UseQueryResult<OpenedOperations, ApiError> {
  return useQuery<OpenedOperations, ApiError>({
    queryKey: ["opened operations"],
    queryFn: async ({ signal }) => openedOperations(JSON.parse(await sendForText(openApi, signal))),
    staleTime: Infinity,
  });
}

function openedOperations({ paths }: Reference): OpenedOperations {
  const opened = new Map<string, Set<string>>();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods)))
    for (const { id } of operation["x-permission-groups"] ?? []) {
      const summaries = opened.get(id) ?? new Set();
      opened.set(id, summaries.add(operation.summary));
    }
  return new Map([...opened].map(([id, summaries]) => [id, [...summaries]]));
}
