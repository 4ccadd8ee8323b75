import type { ReactNode } from "react";

import type { ApiCall } from "../../api/call.ts";
import type { Column } from "../data-table.tsx";
import type { ListSearch } from "../list-search.ts";
import type { Fields } from "./field.tsx";

/** Things of one kind that are listed, made, changed and deleted alike: all that a page of them needs to know. */
export interface Resource<
  Row extends { readonly id: string },
  Draft extends object,
  Listed = readonly Row[],
> {
  /** "page rule" */
  readonly noun: string;
  /** "Page rules" */
  readonly title: string;
  /** Further calls to repeat after a change (`useApiMutation`). */
  readonly invalidates?: readonly ApiCall<unknown>[];
  readonly list: (search: ListSearch) => ApiCall<Listed>;
  /** The rows of what the list answers, where it is not the rows themselves. */
  readonly rowsOf?: (listed: Listed) => readonly Row[];
  /** The label of the search field, where the list can be searched. */
  readonly search?: string;
  readonly columns: readonly Column<Row>[];
  /** Distinguishes one from the others; typed before it is deleted. */
  readonly nameOf: (row: Row) => string;
  /** Explains, where there is none, the purpose of one. */
  readonly empty: ReactNode;
  /** The consequences of deleting one. */
  readonly deletion: string;
  readonly fields: Fields<Draft>;
  readonly blank: Draft;
  readonly draftOf: (row: Row) => Draft;
  readonly create: (draft: Draft) => ApiCall<unknown>;
  /**
   * JSON pointer of a new one in the body that makes it, such as `/0` in a list of one; the body itself if left out.
   */
  readonly createdAt?: string;
  readonly edit: (row: Row, draft: Draft) => ApiCall<unknown>;
  readonly remove: (row: Row) => ApiCall<unknown>;
  /** Whether one can be changed and deleted; all can unless it says otherwise. */
  readonly isFixed?: (row: Row) => boolean;
}

/** "a page rule", "an entry" */
export function aNoun(noun: string): string {
  return `${/^[aeio]/.test(noun) ? "an" : "a"} ${noun}`;
}
