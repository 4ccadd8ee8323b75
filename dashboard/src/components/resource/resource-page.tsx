import { PlusIcon, PencilSquareIcon } from "@heroicons/react/24/outline";
import { Button, Box, Group } from "@mantine/core";
import { useState, type ReactNode, useMemo } from "react";
import { useNavigate, useSearch } from "@tanstack/react-router";

import { PageHeader } from "../page-header.tsx";
import { ResourceForm } from "./resource-form.tsx";
import { aNoun, type Resource } from "./resource.ts";
import { useApi } from "../../api/query.ts";
import { DataTable, type Column } from "../data-table.tsx";
import { IconButton, RemoveButton } from "../icon-button.tsx";
import { readListSearch, type ListSearch } from "../list-search.ts";
import { SearchInput } from "../search-input.tsx";
import { DeleteResource } from "./delete-resource.tsx";

interface ResourcePageProps<Row extends { readonly id: string }, Draft extends object, Listed> {
  readonly resource: Resource<Row, Draft, Listed>;
  /** The name of their zone or account. */
  readonly of: string | undefined;
  readonly description: ReactNode;
  /** Buttons of a row before those that change and delete it. */
  readonly renderActions?: (row: Row, rows: readonly Row[]) => ReactNode;
}

export function ResourcePage<Row extends { readonly id: string }, Draft extends object, Listed>({
  resource,
  of,
  description,
  renderActions,
}: ResourcePageProps<Row, Draft, Listed>) {
  const [edited, setEdited] = useState<Row | "new">();
  return (
    <>
      <PageHeader
        title={resource.title}
        of={of}
        description={description}
        calls={[
          { title: `List the ${resource.title}`, call: resource.list({}) },
          { title: `Add ${aNoun(resource.noun)}`, call: resource.create(resource.blank) },
        ]}
      >
        <Button
          data-shortcut="n"
          leftSection={<PlusIcon width={18} aria-hidden />}
          onClick={() => setEdited("new")}
        >
          Add {aNoun(resource.noun)}
        </Button>
      </PageHeader>
      <ResourceTable resource={resource} onEdit={setEdited} {...(renderActions && { renderActions })} />
      {edited !== undefined && (
        <ResourceForm
          resource={resource}
          row={edited === "new" ? undefined : edited}
          onDone={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

interface ResourceTableProps<Row extends { readonly id: string }, Draft extends object, Listed> {
  readonly resource: Resource<Row, Draft, Listed>;
  readonly onEdit: (row: Row) => void;
  /** Buttons of a row before those that change and delete it. */
  readonly renderActions?: (row: Row, rows: readonly Row[]) => ReactNode;
}

function ResourceTable<Row extends { readonly id: string }, Draft extends object, Listed>({
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
              <RemoveButton label={`Delete ${name}`} onClick={() => onDelete(row)} />
            </>
          )}
        </Group>
      );
    },
  };
}
