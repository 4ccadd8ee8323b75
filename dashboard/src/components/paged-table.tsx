import { useState, type ReactNode } from "react";

import { DataTable, type Column } from "./data-table.tsx";
import type { ListSearch } from "./list-search.ts";

interface PagedTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowId: (row: Row) => string;
  readonly empty: ReactNode;
  readonly renderDetail?: (row: Row) => ReactNode;
}

/** Shows a list that is loaded as a whole in pages; with fewer rows it goes back to the last page that has any. */
export function PagedTable<Row>({ rows, ...table }: PagedTableProps<Row>) {
  const [place, setPlace] = useState<Pick<ListSearch, "page" | "per_page">>({});
  const { page: wanted = 1, per_page: perPage = 20 } = place;
  const pages = Math.ceil(rows.length / perPage);
  const page = Math.min(wanted, Math.max(1, pages));
  const shown = rows.slice((page - 1) * perPage, page * perPage);
  return (
    <DataTable
      {...table}
      query={{
        data: {
          result: shown,
          messages: [],
          result_info: {
            page,
            per_page: perPage,
            count: shown.length,
            total_count: rows.length,
            total_pages: pages,
          },
        },
        error: null,
        isPlaceholderData: false,
        refetch: () => {},
      }}
      onPage={(change) => setPlace({ ...place, ...change })}
    />
  );
}
