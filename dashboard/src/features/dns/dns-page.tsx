import { ArrowUpTrayIcon, PencilSquareIcon, PlusIcon, TrashIcon } from "@heroicons/react/24/outline";
import { ActionIcon, Anchor, Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";

import { createDnsRecord, exportDnsRecords, listDnsRecords, type DnsRecord } from "../../api/dns-records.ts";
import { useApi } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-of-page.ts";
import { AddRecord } from "./add-record.tsx";
import { EditRecord } from "./edit-record.tsx";
import { ExportRecords } from "./export-records.tsx";
import { ImportRecords } from "./import-records.tsx";
import { recordColumns } from "./record-columns.tsx";
import { RecordFilters } from "./record-filters.tsx";
import type { DnsSearch } from "./search.ts";
import { RecordChangesError, SelectedRecords } from "./selected-records.tsx";
import { useRecordChanges } from "./use-record-changes.tsx";

const route = getRouteApi("/shell/zones/$zoneId/dns");

/** The DNS records of a zone. */
export function DnsPage() {
  const { zoneId, zone } = useZoneOfPage();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [importing, imports] = useDisclosure();
  const [editedIds, setEditedIds] = useState<ReadonlySet<string>>(new Set());
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const clearSelection = useCallback(() => setSelectedIds(new Set()), []);
  const changes = useRecordChanges(zoneId, clearSelection);
  const show = (change: DnsSearch, { replace = false } = {}): void =>
    void navigate({ search: { ...search, ...change }, replace });
  const { order = "name", direction = "asc" } = search;
  const call = listDnsRecords(zoneId, {
    page: search.page ?? 1,
    per_page: search.per_page ?? 50,
    order,
    direction,
    ...(search.search !== undefined && { search: search.search }),
    ...(search.type !== undefined && { type: search.type }),
    ...(search.proxied !== undefined && { proxied: search.proxied }),
  });
  const records = useApi(call);
  const isFiltered = search.search !== undefined || search.type !== undefined || search.proxied !== undefined;
  const selected = records.data?.result.filter(({ id }) => selectedIds.has(id)) ?? [];
  const { deleteAll } = changes;
  const columns = useMemo(
    () => [
      ...recordColumns,
      actions(
        (id) => setEditedIds((ids) => ids.union(new Set([id]))),
        (record) => deleteAll([record]),
      ),
    ],
    [deleteAll],
  );
  return (
    <>
      <PageHeader
        title="DNS records"
        of={zone?.name}
        calls={[
          { title: "List the records", call },
          {
            title: "Add a record",
            call: createDnsRecord(zoneId, { type: "A", name: "www", content: "192.0.2.1", ttl: 300 }),
          },
          { title: "Export a zone file", call: exportDnsRecords(zoneId) },
        ]}
      >
        <Button
          variant="default"
          leftSection={<ArrowUpTrayIcon width={18} aria-hidden />}
          onClick={imports.open}
        >
          Import
        </Button>
        {zone !== undefined && <ExportRecords zone={zone} />}
        <Button
          leftSection={<PlusIcon width={18} aria-hidden />}
          onClick={() => show({ add: true })}
          data-shortcut="n"
        >
          Add a record
        </Button>
      </PageHeader>
      <RecordFilters
        filter={search}
        onFilter={(change) => show({ ...change, page: undefined }, { replace: true })}
      />
      <DataTable
        label="DNS records"
        query={records}
        columns={columns}
        rowId={({ id }) => id}
        sorting={{ order, direction }}
        onSort={show}
        onPage={show}
        isDense
        selection={{
          ids: selectedIds,
          onSelect: setSelectedIds,
          nameOf: ({ type, name }) => `${type} record ${name}`,
        }}
        before={
          <>
            {search.add === true && zone !== undefined && (
              <AddRecord zone={zone} onDone={() => show({ add: undefined }, { replace: true })} />
            )}
            {selected.length > 0 && (
              <SelectedRecords records={selected} changes={changes} onClear={clearSelection} />
            )}
            <RecordChangesError changes={changes} />
          </>
        }
        renderDetail={(record) =>
          editedIds.has(record.id) && (
            <EditRecord
              record={record}
              onDone={() => setEditedIds((ids) => ids.difference(new Set([record.id])))}
            />
          )
        }
        empty={
          isFiltered ? (
            <EmptyList title="No record matches">
              <Anchor renderRoot={(root) => <Link {...root} to="/zones/$zoneId/dns" params={{ zoneId }} />}>
                Show all records
              </Anchor>
            </EmptyList>
          ) : (
            <EmptyList title="No records yet">
              Add one, or import a zone file that another provider exported.
            </EmptyList>
          )
        }
      />
      {zone !== undefined && <ImportRecords zone={zone} opened={importing} onClose={imports.close} />}
    </>
  );
}

function actions(onEdit: (id: string) => void, onDelete: (record: DnsRecord) => void): Column<DnsRecord> {
  return {
    key: "actions",
    header: "Actions",
    width: "5.5rem",
    isActions: true,
    cell: (record) => (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`Edit the ${record.type} record ${record.name}`}
          onClick={() => onEdit(record.id)}
        >
          <PencilSquareIcon width={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="red"
          size="sm"
          aria-label={`Delete the ${record.type} record ${record.name}`}
          onClick={() => onDelete(record)}
        >
          <TrashIcon width={16} aria-hidden />
        </ActionIcon>
      </Group>
    ),
  };
}
