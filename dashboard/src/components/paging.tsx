import { Group, NativeSelect, Pagination, Text } from "@mantine/core";

import type { PageInfo } from "../api/send.ts";

export interface PagingProps {
  readonly label: string;
  readonly info: PageInfo;
  readonly onPage: (page: number) => void;
  readonly onPerPage: (perPage: number) => void;
}

const sizes = [20, 50, 100];
const number = new Intl.NumberFormat();

/** Which part of a list is shown, and the way to the others. */
export function Paging({ label, info, onPage, onPerPage }: PagingProps) {
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
          aria-label="Rows on a page"
          value={String(perPage)}
          data={sizes.map((size) => ({ value: String(size), label: `${size} a page` }))}
          onChange={(event) => onPerPage(Number(event.currentTarget.value))}
        />
        {pages > 1 && (
          <Pagination
            size="sm"
            total={pages}
            value={page}
            onChange={onPage}
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
