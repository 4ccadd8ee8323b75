import { Group, NativeSelect, Pagination, Text } from "@mantine/core";

import type { PageInfo } from "../api/send.ts";
import type { ListSearch } from "./list-search.ts";

export interface PagingProps {
  readonly label: string;
  readonly info: PageInfo;
  /** Gets what changes in the address of the page; with other rows on a page it begins with the first one. */
  readonly onPage: (change: Pick<ListSearch, "page" | "per_page">) => void;
}

const sizes = [20, 50, 100];
const number = new Intl.NumberFormat();

/** Which part of a list is shown, and the way to the others. */
export function Paging({ label, info, onPage }: PagingProps) {
  const { page, per_page: perPage, count, total_count: total, total_pages: pages } = info;
  const first = (page - 1) * perPage + 1;
  return (
    <Group justify="space-between" px="md" py="xs" gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {count === 0
          ? `None on this page of ${number.format(total)}`
          : `${number.format(first)}–${number.format(first + count - 1)} of ${number.format(total)}`}
      </Text>
      <Group gap="sm">
        <NativeSelect
          size="xs"
          aria-label="Rows per page"
          value={String(perPage)}
          data={[...new Set([...sizes, perPage])]
            .toSorted((one, other) => one - other)
            .map((size) => ({ value: String(size), label: `${size} per page` }))}
          onChange={(event) => onPage({ per_page: Number(event.currentTarget.value), page: undefined })}
        />
        {pages > 1 && (
          <Pagination
            size="sm"
            total={pages}
            value={page}
            onChange={(chosen) => onPage({ page: chosen })}
            siblings={0}
            aria-label={`Pages of ${label}`}
            getControlProps={(control) => ({
              "aria-label": {
                first: "First page",
                previous: "Previous page",
                next: "Next page",
                last: "Last page",
              }[control],
            })}
            getItemProps={(item) => ({ "aria-label": `Page ${item}` })}
          />
        )}
      </Group>
    </Group>
  );
}
