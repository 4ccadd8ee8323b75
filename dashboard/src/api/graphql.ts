import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";

import { ApiError } from "./api-error.ts";
import type { ApiCall } from "./call.ts";
import { sendForText } from "./send.ts";

/** A GraphQL query as a call of the API. */
export function graphql<Data>(query: string, variables: Readonly<Record<string, unknown>>): ApiCall<Data> {
  return { method: "POST", path: "/graphql", body: { query, variables } };
}

/** Data or errors, never both. */
interface GraphqlAnswer<Data> {
  readonly data: Data | null;
  readonly errors:
    | readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[]
    | null;
}

/** What a GraphQL query answers; fails with `ApiError` for what is wrong with it as well. */
export function useGraphql<Data>(call: ApiCall<Data>): UseQueryResult<Data, ApiError> {
  return useQuery<Data, ApiError>({
    queryKey: ["api", call.path, call.body],
    queryFn: async ({ signal }) => {
      const { data, errors } = JSON.parse(await sendForText(call, signal)) as GraphqlAnswer<Data>;
      if (data !== null) return data;
      throw new ApiError(
        200,
        (errors ?? []).map(({ message, extensions }) => ({
          code: 0,
          message: extensions?.code === undefined ? message : `${message} (${extensions.code})`,
        })),
      );
    },
    placeholderData: keepPreviousData,
  });
}
