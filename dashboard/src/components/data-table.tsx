import { ChevronDownIcon, ChevronUpDownIcon, ChevronUpIcon } from "@heroicons/react/24/outline";
import { Box, Card, Skeleton, Stack, Table, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { memo, useDeferredValue, type ReactNode } from "react";

import type { ApiError } from "../api/api-error.ts";
import type { Answer } from "../api/send.ts";
import classes from "./data-table.module.css";
import type { Sorting } from "./list-search.ts";
import { ErrorAlert } from "./error-alert.tsx";
import { Paging, type PagingProps } from "./paging.tsx";

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly width?: string;
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

interface DataTableProps<Row> {
  /** What it lists, for those who do not see it: "DNS records". */
  readonly label: string;
  readonly query: Query<Row>;
  readonly columns: readonly Column<Row>[];
  readonly rowId: (row: Row) => string;
  /** In place of rows where there are none. */
  readonly empty: ReactNode;
  readonly onPage?: PagingProps["onPage"];
  readonly sorting?: Sorting;
  readonly onSort?: (sorting: Sorting) => void;
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
  renderDetail,
  before,
}: DataTableProps<Row>) {
  const { error, isPlaceholderData, refetch } = query;
  // Rows are made in portions between which the page answers to keys and clicks.
  const data = useDeferredValue(query.data);
  if (error !== null && data === undefined)
    return <ErrorAlert title={`${label} could not be listed`} error={error} onRetry={() => void refetch()} />;
  return (
    <Card withBorder padding={0} className={classes.card}>
      {error !== null && (
        <ErrorAlert title={`${label} may be out of date`} error={error} onRetry={() => void refetch()} />
      )}
      {before}
      {data === undefined ? (
        <Loading label={label} />
      ) : data.result.length === 0 ? (
        <Box p="xl" ta="center">
          {(data.result_info?.total_count ?? 0) > 0 ? (
            <EmptyList title="There is no such page in this list" />
          ) : (
            empty
          )}
        </Box>
      ) : (
        <Table
          className={`${classes.table} ${isPlaceholderData ? classes.busy : ""}`}
          verticalSpacing="xs"
          horizontalSpacing="md"
          aria-label={label}
          aria-busy={isPlaceholderData}
          // A phone shows rows as blocks, which takes their roles from the elements.
          role="table"
          highlightOnHover
        >
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
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
}

/** A row is made again only when it, or what is beneath it, is another one. */
const Row = memo(({ row, columns, below }: RowProps) => (
  <>
    <Table.Tr role="row" className={classes.row ?? ""}>
      {columns.map(({ key, header, cell, isActions = false }) => (
        <Table.Td
          key={key}
          role="cell"
          data-label={isActions ? "" : header}
          className={`${classes.cell} ${isActions ? classes.end : ""}`}
        >
          <div>{cell(row)}</div>
        </Table.Td>
      ))}
    </Table.Tr>
    {Boolean(below) && (
      <Table.Tr role="row" className={classes.detail ?? ""}>
        <Table.Td role="cell" colSpan={columns.length} p="md">
          {below}
        </Table.Td>
      </Table.Tr>
    )}
  </>
));

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

/** What a list says where it has nothing to list. */
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
