import { ChevronDownIcon, ChevronUpDownIcon, ChevronUpIcon } from "@heroicons/react/24/outline";
import {
  Box,
  Card,
  Checkbox,
  Skeleton,
  Stack,
  Table,
  Text,
  UnstyledButton,
  VisuallyHidden,
  Group,
  NativeSelect,
  Pagination,
} from "@mantine/core";
import { memo, useDeferredValue, type ReactNode } from "react";

import type { ApiError } from "../api/api-error.ts";
import type { Answer, PageInfo } from "../api/send.ts";
import classes from "./data-table.module.css";
import { ErrorAlert } from "./error-alert.tsx";
import { useKeptFocus } from "./kept-focus.ts";
import type { Sorting, ListSearch } from "./list-search.ts";

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly width?: string;
  /** On a phone, stands in this line of the row without its heading; buttons end the first line. */
  readonly phoneLine?: 1 | 2 | 3;
  /** Whether it takes what is left of that line. */
  readonly isWide?: boolean;
  /** Buttons of a row stand at its end, under a heading that only screen readers tell. */
  readonly isActions?: boolean;
  /** The `order` of the API that sorts by it. */
  readonly order?: string;
}

interface Query<Row> {
  readonly data: Answer<readonly Row[]> | undefined;
  readonly error: ApiError | null;
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
}

/** Rows that are chosen to be changed together, by their ids. */
export interface Selection<Row> {
  readonly ids: ReadonlySet<string>;
  readonly onSelect: (change: (ids: ReadonlySet<string>) => ReadonlySet<string>) => void;
  /** The name of a row for screen readers. */
  readonly nameOf: (row: Row) => string;
}

interface DataTableProps<Row> {
  /** The name of the list for screen readers: "DNS records". */
  readonly label: string;
  readonly query: Query<Row>;
  readonly columns: readonly Column<Row>[];
  readonly rowId: (row: Row) => string;
  /** Stands in place of rows where there are none. */
  readonly empty: ReactNode;
  readonly onPage?: PagingProps["onPage"];
  readonly sorting?: Sorting;
  readonly onSort?: (sorting: Sorting) => void;
  readonly selection?: Selection<Row>;
  /** Low rows, for long lists that somebody works in. */
  readonly isDense?: boolean;
  /** Beneath a row over its whole width, such as a form. */
  readonly renderDetail?: (row: Row) => ReactNode;
  /** Above the first row. */
  readonly before?: ReactNode;
}

/** A list of the API, a page of it at a time, with its states: loading, empty, failed. */
export function DataTable<Row>({
  label,
  query,
  columns,
  rowId,
  empty,
  onPage,
  sorting,
  onSort,
  selection,
  isDense = false,
  renderDetail,
  before,
}: DataTableProps<Row>) {
  const { error, isPlaceholderData, refetch } = query;
  // Rows are made in portions between which the page answers to keys and clicks.
  const data = useDeferredValue(query.data);
  const keptFocus = useKeptFocus();
  if (error !== null && data === undefined)
    return <ErrorAlert title={`${label} could not be listed`} error={error} onRetry={() => void refetch()} />;
  return (
    <Card withBorder padding={0} className={classes.card} {...keptFocus}>
      {error !== null && (
        <ErrorAlert title={`${label} may be out of date`} error={error} onRetry={() => void refetch()} />
      )}
      {before}
      {data === undefined ? (
        <Loading label={label} />
      ) : data.result.length === 0 ? (
        <Box p="xl" ta="center" tabIndex={-1} className={`mantine-focus-auto ${classes.empty}`} data-empty>
          {(data.result_info?.total_count ?? 0) > 0 ? (
            <EmptyList title="There is no such page in this list" />
          ) : (
            empty
          )}
        </Box>
      ) : (
        <Table
          className={`${classes.table} ${isPlaceholderData ? classes.busy : ""}`}
          verticalSpacing={isDense ? 2 : "xs"}
          // A long text that is cut off must not widen its column.
          layout={isDense ? "fixed" : "auto"}
          horizontalSpacing="md"
          aria-label={label}
          aria-busy={isPlaceholderData}
          // A phone shows rows as blocks, which takes their roles from the elements.
          role="table"
          highlightOnHover
        >
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {selection !== undefined && (
                <SelectAll ids={data.result.map(rowId)} selection={selection as Selection<unknown>} />
              )}
              {columns.map((column) => (
                <Heading key={column.key} column={column} sorting={sorting} onSort={onSort} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {data.result.map((row) => (
              <Row
                key={rowId(row)}
                row={row}
                columns={columns as readonly Column<unknown>[]}
                below={renderDetail?.(row)}
                {...(selection !== undefined && {
                  selecting: {
                    name: selection.nameOf(row),
                    isSelected: selection.ids.has(rowId(row)),
                    onToggle: () =>
                      selection.onSelect((ids) => ids.symmetricDifference(new Set([rowId(row)]))),
                  },
                })}
              />
            ))}
          </Table.Tbody>
        </Table>
      )}
      {data?.result_info !== undefined && onPage !== undefined && data.result_info.total_count > 0 && (
        <div className={classes.footer}>
          <Paging label={label} info={data.result_info} onPage={onPage} />
        </div>
      )}
    </Card>
  );
}

interface RowProps {
  readonly row: unknown;
  readonly columns: readonly Column<unknown>[];
  readonly below: ReactNode;
  readonly selecting?: {
    readonly name: string;
    readonly isSelected: boolean;
    readonly onToggle: () => void;
  };
}

/** A row is made again only when it, whether it is selected, or what is beneath it, is another one. */
const Row = memo(
  ({ row, columns, below, selecting }: RowProps) => (
    <>
      <Table.Tr
        role="row"
        data-row
        className={classes.row ?? ""}
        {...(selecting?.isSelected && { bg: "var(--mantine-primary-color-light)" })}
      >
        {selecting !== undefined && (
          <Table.Td role="cell" data-label="" className={`${classes.cell} ${classes.line1}`}>
            <Checkbox
              size="xs"
              aria-label={`Select the ${selecting.name}`}
              checked={selecting.isSelected}
              onChange={selecting.onToggle}
            />
          </Table.Td>
        )}
        {columns.map((column) => (
          <Table.Td
            key={column.key}
            role="cell"
            data-label={column.isActions === true ? "" : column.header}
            className={classesOf(column)}
          >
            <div>{column.cell(row)}</div>
          </Table.Td>
        ))}
      </Table.Tr>
      {Boolean(below) && (
        <Table.Tr role="row" className={classes.detail ?? ""}>
          <Table.Td role="cell" colSpan={columns.length + (selecting === undefined ? 0 : 1)} p="md">
            {below}
          </Table.Td>
        </Table.Tr>
      )}
    </>
  ),
  isSameRow,
);

function classesOf({ isActions, phoneLine, isWide }: Column<unknown>): string {
  return [
    classes.cell,
    isActions === true && classes.end,
    phoneLine !== undefined && classes[`line${phoneLine}`],
    isWide === true && classes.wide,
  ]
    .filter(Boolean)
    .join(" ");
}

/** The callbacks of a row are made anew with the list, and always do the same. */
function isSameRow(before: RowProps, after: RowProps): boolean {
  return (
    before.row === after.row &&
    before.columns === after.columns &&
    before.below === after.below &&
    before.selecting?.isSelected === after.selecting?.isSelected
  );
}

function SelectAll({
  ids,
  selection: { ids: selected, onSelect },
}: {
  readonly ids: readonly string[];
  readonly selection: Selection<unknown>;
}) {
  const all = ids.every((id) => selected.has(id));
  return (
    <Table.Th role="columnheader" w="2.75rem">
      <Checkbox
        size="xs"
        aria-label="Select all on this page"
        checked={all}
        indeterminate={!all && ids.some((id) => selected.has(id))}
        onChange={() => onSelect(() => new Set(all ? [] : ids))}
      />
    </Table.Th>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
  readonly onSort: ((sorting: Sorting) => void) | undefined;
}

function Heading<Row>({
  column: { header, width, isActions = false, order },
  sorting,
  onSort,
}: HeadingProps<Row>) {
  const style = width === undefined ? {} : { w: width };
  if (order === undefined || onSort === undefined)
    return (
      <Table.Th role="columnheader" {...style}>
        {isActions ? <VisuallyHidden>{header}</VisuallyHidden> : header}
      </Table.Th>
    );
  const direction = sorting?.order === order ? sorting.direction : undefined;
  const Icon = { asc: ChevronUpIcon, desc: ChevronDownIcon, none: ChevronUpDownIcon }[direction ?? "none"];
  return (
    <Table.Th
      role="columnheader"
      aria-sort={direction === undefined ? "none" : direction === "asc" ? "ascending" : "descending"}
      {...style}
    >
      <UnstyledButton
        className={classes.sort ?? ""}
        fz="sm"
        onClick={() => onSort({ order, direction: direction === "asc" ? "desc" : "asc" })}
      >
        {header}
        <Icon width={14} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  );
}

function Loading({ label }: { readonly label: string }) {
  return (
    <Stack p="md" gap="md" role="status" aria-label={`Loading: ${label}`}>
      {["60%", "85%", "70%", "80%", "55%"].map((width) => (
        <Skeleton key={width} height={16} width={width} />
      ))}
    </Stack>
  );
}

/** Stands in place of the rows of an empty list. */
export function EmptyList({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <Stack gap={6} align="center">
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text component="div" size="sm" c="dimmed" maw="32rem">
          {children}
        </Text>
      )}
    </Stack>
  );
}

interface PagingProps {
  readonly label: string;
  readonly info: PageInfo;
  /** Gets what changes in the address of the page; with other rows on a page it begins with the first one. */
  readonly onPage: (change: Pick<ListSearch, "page" | "per_page">) => void;
}

const sizes = [20, 50, 100];
const number = new Intl.NumberFormat();

/** Shows the place of a page in its list, and leads to the other pages. */
function Paging({ label, info, onPage }: PagingProps) {
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
