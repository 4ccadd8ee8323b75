import {
  useInfiniteQuery,
  useMutation,
  useQueryClient,
  type InfiniteData,
  type UseMutationResult,
} from "@tanstack/react-query";

import { ApiError } from "../../api/api-error.ts";
import { call, type ApiCall, type BodyOf, type ResultOf } from "../../api/call.ts";
import { invalidate } from "../../api/query.ts";
import { send, type Answer } from "../../api/send.ts";

export type ListItem = ResultOf<"listListItems">[number];
export type NewListItem = BodyOf<"createListItems">[number];

/** An answer with a part of a list whose next part is asked for by a cursor. */
type Part = Answer<ResultOf<"listListItems">> & {
  readonly result_info?: { readonly cursors?: { readonly after?: string } };
};

const partLength = 100;

/** The items of a list that meet a search, from the first one on. */
export function useItems(accountId: string, listId: string, search: string | undefined) {
  return useInfiniteQuery<Part, ApiError, InfiniteData<Part>, readonly unknown[], string>({
    queryKey: [
      "api",
      call("listListItems", { account_id: accountId, list_id: listId }).path,
      "parts",
      search,
    ],
    queryFn: ({ signal, pageParam: cursor }) =>
      send(
        call(
          "listListItems",
          { account_id: accountId, list_id: listId },
          {
            search,
            per_page: partLength,
            ...(cursor !== "" && { cursor }),
          },
        ),
        signal,
      ),
    initialPageParam: "",
    getNextPageParam: ({ result_info: info }) => info?.cursors?.after,
  });
}

/** A change of items, which is made after it was answered. */
type ListChange = ResultOf<"createListItems">;

const pollMs = 250;

/** Sends a change of items, and waits until it is made. Throws `ApiError` for a refusal and for a failure. */
async function changeItems(accountId: string, change: ApiCall<ListChange>): Promise<void> {
  const { operation_id } = (await send(change)).result;
  for (;;) {
    const { result } = await send(call("getListOperation", { account_id: accountId, operation_id }));
    if (result.status === "completed") return;
    if (result.status === "failed")
      throw new ApiError(200, [{ code: 0, message: result.error ?? "The items were not changed." }]);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** A change of the items of a list, which is over when it is made. */
export function useItemChange(
  accountId: string,
  onSuccess: () => void,
): UseMutationResult<void, ApiError, ApiCall<ListChange>> {
  const client = useQueryClient();
  return useMutation<void, ApiError, ApiCall<ListChange>>({
    mutationFn: (change) => changeItems(accountId, change),
    onSuccess: async () => {
      onSuccess();
      await invalidate(client, call("listLists", { account_id: accountId }));
    },
  });
}
