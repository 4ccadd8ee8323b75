import type { ListSearch } from "../components/list-search.ts";
import { path, type ApiCall } from "./call.ts";

/** The calls of resources that are listed at one path and have theirs below it. */
export interface Collection<Row, CreateBody, EditBody = CreateBody> {
  readonly path: string;
  readonly list: (query: CollectionQuery) => ApiCall<Row[]>;
  readonly create: (body: CreateBody) => ApiCall<Row>;
  readonly edit: (id: string, body: EditBody) => ApiCall<Row>;
  readonly remove: (id: string) => ApiCall<unknown>;
}

/** Of a list: its page, and filters as the API calls them. */
type CollectionQuery = Pick<ListSearch, "page" | "per_page"> &
  Readonly<Record<string, string | number | boolean | undefined>>;

/** `method` is how one is changed. */
export function collectionAt<Row, CreateBody, EditBody = CreateBody>(
  at: string,
  method: "PUT" | "PATCH",
): Collection<Row, CreateBody, EditBody> {
  const below = (id: string): string => at + path`/${id}`;
  return {
    path: at,
    list: (query) => ({ method: "GET", path: at, query }),
    create: (body) => ({ method: "POST", path: at, body }),
    edit: (id, body) => ({ method, path: below(id), body }),
    remove: (id) => ({ method: "DELETE", path: below(id) }),
  };
}
