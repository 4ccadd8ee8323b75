import {
  useInfiniteQuery,
  useMutation,
  useQueryClient,
  type InfiniteData,
  type UseMutationResult,
} from "@tanstack/react-query";

import type { ApiError } from "../../api/api-error.ts";
import type { ApiCall } from "../../api/call.ts";
import {
  changeItems,
  itemsPath,
  listItems,
  listsPath,
  type ListChange,
  type ListItem,
} from "../../api/lists.ts";
import { send, type Answer } from "../../api/send.ts";

/** An answer with a part of a list whose next part is asked for by a cursor. */
type Part = Answer<ListItem[]> & {
  readonly result_info?: { readonly cursors?: { readonly after?: string } };
};

const partLength = 100;

/** The items of a list that meet a search, from the first one on. */
export function useItems(accountId: string, listId: string, search: string | undefined) {
  return useInfiniteQuery<Part, ApiError, InfiniteData<Part>, readonly unknown[], string>({
    queryKey: ["api", itemsPath(accountId, listId), "parts", search],
    queryFn: ({ signal, pageParam: cursor }) =>
      send(
        listItems(accountId, listId, {
          search,
          per_page: partLength,
          ...(cursor !== "" && { cursor }),
        }),
        signal,
      ),
    initialPageParam: "",
    getNextPageParam: ({ result_info: info }) => info?.cursors?.after,
  });
}

/** A change of the items of a list, which is over when it is made. */
export function useItemChange(
  accountId: string,
  onSuccess: () => void,
): UseMutationResult<void, ApiError, ApiCall<ListChange>> {
  const client = useQueryClient();
  return useMutation<void, ApiError, ApiCall<ListChange>>({
    mutationFn: (call) => changeItems(accountId, call),
    onSuccess: async () => {
      onSuccess();
      const at = listsPath(accountId);
      await client.invalidateQueries({
        predicate: ({ queryKey: [kind, path] }) =>
          kind === "api" && typeof path === "string" && path.startsWith(at),
      });
    },
  });
}
