import { ArrowDownTrayIcon, ArrowUpTrayIcon, PlusIcon } from "@heroicons/react/24/outline";
import { Alert, Button, Group, MultiSelect, Select, Stack } from "@mantine/core";
import { useLocalStorage, useSet } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from "react";

import { recordTypes } from "../../../../src/core/dns/content/record-types.ts";
import type { DnsRecord } from "../../../../src/resources/dns-records/schema.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import type { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { sendForText } from "../../api/send.ts";
import { DataTable, EmptyList, type Selection } from "../../components/data-table.tsx";
import { downloadText } from "../../components/download-text.ts";
import { AnchorLink } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SearchInput } from "../../components/search-input.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import {
  ColumnChoice,
  columnsHiddenAtFirst,
  optionalColumns,
  recordActions,
  recordColumns,
} from "./record-columns.tsx";
import { AddRecord, DuplicateRecord, EditRecord } from "./record-editors.tsx";
import type { DnsSearch } from "./search.ts";
import { RecordChangesError, SelectedRecords, useRecordChanges } from "./selected-records.tsx";

const ImportRecords = lazy(async () => ({ default: (await import("./import-records.tsx")).ImportRecords }));

const route = getRouteApi("/shell/zones/$zoneId/dns");

export function DnsPage() {
  const { zoneId, zone } = useZoneOfPage();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** The zone file that an import begins with, while it is open. */
  const [imported, setImported] = useState<string>();
  const editedIds = useSet<string>();
  const duplicatedIds = useSet<string>();
  const [hidden, setHidden] = useLocalStorage<readonly string[]>({
    key: "zoneward-record-columns-hidden",
    defaultValue: columnsHiddenAtFirst,
    getInitialValueInEffect: false,
  });
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const clearSelection = useCallback(() => setSelectedIds(new Set()), []);
  const changes = useRecordChanges(zoneId, clearSelection);
  const show = (change: DnsSearch, options = {}): void =>
    void navigate({ search: { ...search, ...change }, ...options });
  const { order = "name", direction = "asc" } = search;
  const request = call(
    "listDnsRecords",
    { zone_id: zoneId },
    {
      page: search.page ?? 1,
      per_page: search.per_page ?? 50,
      order,
      direction,
      ...(search.search !== undefined && { search: search.search }),
      ...(search.type !== undefined && { type: search.type }),
      ...(search.proxied !== undefined && { proxied: search.proxied }),
    },
  );
  const records = useApi(request);
  const isFiltered = search.search !== undefined || search.type !== undefined || search.proxied !== undefined;
  const isCopy = zone?.type === "secondary";
  const selected = records.data?.result.filter(({ id }) => selectedIds.has(id)) ?? [];
  const { deleteAll } = changes;
  const columns = useMemo(
    () => [
      ...recordColumns.filter(({ key }) => !hidden.includes(key)),
      ...(isCopy
        ? []
        : [
            recordActions({
              onEdit: ({ id }) => editedIds.add(id),
              onDuplicate: ({ id }) => duplicatedIds.add(id),
              onDelete: (record) => deleteAll([record]),
            }),
          ]),
    ],
    [hidden, isCopy, editedIds, duplicatedIds, deleteAll],
  );
  const selection: Selection<DnsRecord> = {
    ids: selectedIds,
    onSelect: setSelectedIds,
    nameOf: ({ type, name }) => `${type} record ${name}`,
  };
  return (
    <>
      <PageHeader
        title="DNS records"
        of={zone?.name}
        calls={[
          { title: "List the records", call: request },
          {
            title: "Add a record",
            call: call(
              "createDnsRecord",
              { zone_id: zoneId },
              { type: "A", name: "www", content: "192.0.2.1", ttl: 300 },
            ),
          },
          { title: "Export a zone file", call: call("exportDnsRecords", { zone_id: zoneId }) },
        ]}
      >
        {zone !== undefined && <ExportRecords zone={zone} />}
        {!isCopy && (
          <>
            <Button
              variant="default"
              leftSection={<ArrowUpTrayIcon width={18} aria-hidden />}
              onClick={() => setImported("")}
            >
              Import
            </Button>
            <Button
              leftSection={<PlusIcon width={18} aria-hidden />}
              onClick={() => show({ add: true })}
              data-shortcut="n"
            >
              Add a record
            </Button>
          </>
        )}
      </PageHeader>
      {isCopy && <ReadOnlyNotice zoneId={zoneId} />}
      <RecordFilters
        filter={search}
        onFilter={(change) => show({ ...change, page: undefined }, { replace: true })}
      >
        <ColumnChoice columns={optionalColumns} hidden={hidden} onHide={setHidden} />
      </RecordFilters>
      <DataTable
        label="DNS records"
        query={records}
        columns={columns}
        rowId={({ id }) => id}
        sorting={{ order, direction }}
        onSort={(sorted) => show(sorted)}
        onPage={(paged) => show(paged)}
        isDense
        {...(!isCopy && { selection })}
        before={
          <>
            {search.add === true && zone !== undefined && !isCopy && (
              <AddRecord
                zone={zone}
                onPasteLines={setImported}
                onDone={() => show({ add: undefined }, { replace: true, ignoreBlocker: true })}
              />
            )}
            {selected.length > 0 && (
              <SelectedRecords records={selected} changes={changes} onClear={clearSelection} />
            )}
            <RecordChangesError changes={changes} />
          </>
        }
        renderDetail={(record) => {
          const { id } = record;
          const isEdited = editedIds.has(id);
          const isDuplicated = duplicatedIds.has(id);
          return (
            (isEdited || isDuplicated) && (
              <Stack gap="xl">
                {isEdited && <EditRecord record={record} onDone={() => editedIds.delete(id)} />}
                {isDuplicated && <DuplicateRecord record={record} onDone={() => duplicatedIds.delete(id)} />}
              </Stack>
            )
          );
        }}
        empty={
          isFiltered ? (
            <EmptyList title="No record matches">
              <AnchorLink to="/zones/$zoneId/dns" params={{ zoneId }}>
                Show all records
              </AnchorLink>
            </EmptyList>
          ) : (
            <EmptyList title="No records yet">
              {isCopy
                ? "They appear once they were fetched from the primary servers."
                : "Add one, or import a zone file that another provider exported."}
            </EmptyList>
          )
        }
      />
      {zone !== undefined && imported !== undefined && (
        <Suspense>
          <ImportRecords zone={zone} initialText={imported} onClose={() => setImported(undefined)} />
        </Suspense>
      )}
    </>
  );
}

/** Explains why the records of a secondary zone cannot be changed. */
function ReadOnlyNotice({ zoneId }: { readonly zoneId: string }) {
  return (
    <Alert color="blue" mb="md" title="These records can only be read">
      This is a secondary zone: its records are fetched from its{" "}
      <AnchorLink inherit underline="always" to="/zones/$zoneId/dns/transfers" params={{ zoneId }}>
        primary servers
      </AnchorLink>
      , and are changed there.
    </Alert>
  );
}

/** Downloads the records as a BIND zone file. */
function ExportRecords({ zone }: { readonly zone: Zone }) {
  const { mutate, isPending } = useMutation<string, ApiError>({
    mutationFn: () => sendForText(call("exportDnsRecords", { zone_id: zone.id })),
    onSuccess: (text) => downloadText(`${zone.name}.txt`, text),
    onError: ({ message }) => notifications.show({ color: "red", title: "No zone file", message }),
  });
  return (
    <Button
      variant="default"
      leftSection={<ArrowDownTrayIcon width={18} aria-hidden />}
      loading={isPending}
      onClick={() => mutate()}
    >
      Export
    </Button>
  );
}

type RecordFilter = Pick<DnsSearch, "search" | "type" | "proxied">;

interface RecordFiltersProps {
  readonly filter: RecordFilter;
  readonly onFilter: (change: RecordFilter) => void;
  readonly children: ReactNode;
}

function RecordFilters({ filter, onFilter, children }: RecordFiltersProps) {
  return (
    <Group mb="md" gap="sm" align="flex-start">
      <SearchInput
        label="Search records"
        value={filter.search ?? ""}
        onSearch={(search) => onFilter({ search: search || undefined })}
      />
      <MultiSelect
        aria-label="Types"
        placeholder={filter.type === undefined ? "All types" : ""}
        data={[...recordTypes]}
        value={filter.type === undefined ? [] : filter.type.split(",")}
        onChange={(types) => onFilter({ type: types.join(",") || undefined })}
        clearable
        searchable
        flex="1 1 8rem"
        maw={{ xs: 200 }}
      />
      <Select
        aria-label="Proxy status"
        placeholder="Proxied or not"
        data={[
          { value: "true", label: "Proxied" },
          { value: "false", label: "DNS only" },
        ]}
        value={filter.proxied === undefined ? null : String(filter.proxied)}
        onChange={(value) => onFilter({ proxied: value === null ? undefined : value === "true" })}
        clearable
        flex="1 1 8rem"
        maw={{ xs: 160 }}
      />
      {children}
    </Group>
  );
}
