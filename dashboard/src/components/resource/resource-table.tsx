import { PencilSquareIcon, PlusIcon, TrashIcon } from "@heroicons/react/24/outline";
import { ActionIcon, Button, Group } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState, type ReactNode } from "react";

import { useApi } from "../../api/query.ts";
import { DataTable, type Column } from "../data-table.tsx";
import { readListSearch, type ListSearch } from "../list-search.ts";
import { SearchInput } from "../search-input.tsx";
import { DeleteResource } from "./delete-resource.tsx";
import { ResourceForm } from "./resource-form.tsx";
import { aNoun, type Resource } from "./resource.ts";

interface ResourceTableProps<Row extends { readonly id: string }, Draft extends object, Listed> {
  readonly resource: Resource<Row, Draft, Listed>;
  /** Buttons of a row before those that change and delete it. */
  readonly renderActions?: (row: Row, rows: readonly Row[]) => ReactNode;
}

/** The list of a resource, with a form to add and change one, and a question before one is deleted. */
export function ResourceTable<Row extends { readonly id: string }, Draft extends object, Listed>({
  resource,
  renderActions,
}: ResourceTableProps<Row, Draft, Listed>) {
  const search = readListSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const [edited, setEdited] = useState<Row | "new">();
  const [deleted, setDeleted] = useState<Row>();
  const { data, error, isPlaceholderData, refetch } = useApi(resource.list(search));
  const rows = useMemo(
    () => data && (resource.rowsOf?.(data.result) ?? (data.result as readonly Row[])),
    [data, resource],
  );
  const columns = useMemo(
    () => [
      ...resource.columns,
      actionsColumn(resource, rows ?? [], { setEdited, setDeleted, renderActions }),
    ],
    [resource, renderActions, rows, setEdited, setDeleted],
  );
  const show = (change: ListSearch): void =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, ...change }) });
  return (
    <>
      <Group justify="space-between" mb="md">
        {resource.search === undefined ? (
          <span />
        ) : (
          <SearchInput
            label={resource.search}
            value={search.search ?? ""}
            onSearch={(text) => show({ search: text || undefined, page: undefined })}
          />
        )}
        <Button
          data-shortcut="n"
          leftSection={<PlusIcon width={18} aria-hidden />}
          onClick={() => setEdited("new")}
        >
          Add {aNoun(resource.noun)}
        </Button>
      </Group>
      <DataTable
        label={resource.title}
        query={{ data: data && rows && { ...data, result: rows }, error, isPlaceholderData, refetch }}
        columns={columns}
        rowId={({ id }) => id}
        onPage={show}
        empty={resource.empty}
      />
      {edited !== undefined && (
        <ResourceForm
          resource={resource}
          row={edited === "new" ? undefined : edited}
          onDone={() => setEdited(undefined)}
        />
      )}
      {deleted !== undefined && (
        <DeleteResource resource={resource} row={deleted} onDone={() => setDeleted(undefined)} />
      )}
    </>
  );
}

interface ColumnActions<Row> {
  readonly setEdited: (row: Row) => void;
  readonly setDeleted: (row: Row) => void;
  readonly renderActions: ((row: Row, rows: readonly Row[]) => ReactNode) | undefined;
}

function actionsColumn<Row extends { readonly id: string }>(
  { noun, nameOf, isFixed }: Pick<Resource<Row, object, unknown>, "noun" | "nameOf" | "isFixed">,
  rows: readonly Row[],
  { setEdited, setDeleted, renderActions }: ColumnActions<Row>,
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
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Change ${name}`}
                onClick={() => setEdited(row)}
              >
                <PencilSquareIcon width={18} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={`Delete ${name}`}
                onClick={() => setDeleted(row)}
              >
                <TrashIcon width={18} aria-hidden />
              </ActionIcon>
            </>
          )}
        </Group>
      );
    },
  };
}
