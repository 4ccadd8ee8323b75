import { PencilSquareIcon, TrashIcon } from "@heroicons/react/24/outline";
import { Box, Group } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState, type ReactNode } from "react";

import { useApi } from "../../api/query.ts";
import { DataTable, type Column } from "../data-table.tsx";
import { IconButton } from "../icon-button.tsx";
import { readListSearch, type ListSearch } from "../list-search.ts";
import { SearchInput } from "../search-input.tsx";
import { DeleteResource } from "./delete-resource.tsx";
import type { Resource } from "./resource.ts";

interface ResourceTableProps<Row extends { readonly id: string }, Draft extends object, Listed> {
  readonly resource: Resource<Row, Draft, Listed>;
  /** One of them is to be changed. */
  readonly onEdit: (row: Row) => void;
  /** Buttons of a row before those that change and delete it. */
  readonly renderActions?: (row: Row, rows: readonly Row[]) => ReactNode;
}

/** The list of a resource, and a question before one is deleted. */
export function ResourceTable<Row extends { readonly id: string }, Draft extends object, Listed>({
  resource,
  onEdit,
  renderActions,
}: ResourceTableProps<Row, Draft, Listed>) {
  const search = readListSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const [deleted, setDeleted] = useState<Row>();
  const { data, error, isPlaceholderData, refetch } = useApi(resource.list(search));
  const rows = useMemo(
    () => data && (resource.rowsOf?.(data.result) ?? (data.result as readonly Row[])),
    [data, resource],
  );
  const columns = useMemo(
    () => [
      ...resource.columns,
      actionsColumn(resource, rows ?? [], { onEdit, onDelete: setDeleted, renderActions }),
    ],
    [resource, renderActions, rows, onEdit, setDeleted],
  );
  const show = (change: ListSearch): void =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, ...change }) });
  return (
    <>
      {resource.search !== undefined && (
        <Box mb="md">
          <SearchInput
            label={resource.search}
            value={search.search ?? ""}
            onSearch={(text) => show({ search: text || undefined, page: undefined })}
          />
        </Box>
      )}
      <DataTable
        label={resource.title}
        query={{ data: data && rows && { ...data, result: rows }, error, isPlaceholderData, refetch }}
        columns={columns}
        rowId={({ id }) => id}
        onPage={show}
        empty={resource.empty}
      />
      {deleted !== undefined && (
        <DeleteResource resource={resource} row={deleted} onDone={() => setDeleted(undefined)} />
      )}
    </>
  );
}

interface ColumnActions<Row> {
  readonly onEdit: (row: Row) => void;
  readonly onDelete: (row: Row) => void;
  readonly renderActions: ((row: Row, rows: readonly Row[]) => ReactNode) | undefined;
}

function actionsColumn<Row extends { readonly id: string }>(
  { noun, nameOf, isFixed }: Pick<Resource<Row, object, unknown>, "noun" | "nameOf" | "isFixed">,
  rows: readonly Row[],
  { onEdit, onDelete, renderActions }: ColumnActions<Row>,
): Column<Row> {
  return {
    key: "actions",
    header: "Actions",
    width: "9rem",
    isActions: true,
    cell: (row) => {
      const name = `the ${noun} ${nameOf(row)}`;
      return (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {renderActions?.(row, rows)}
          {isFixed?.(row) !== true && (
            <>
              <IconButton Icon={PencilSquareIcon} label={`Change ${name}`} onClick={() => onEdit(row)} />
              <IconButton
                Icon={TrashIcon}
                color="red"
                label={`Delete ${name}`}
                onClick={() => onDelete(row)}
              />
            </>
          )}
        </Group>
      );
    },
  };
}
