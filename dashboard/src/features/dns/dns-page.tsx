import { Anchor } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";

import { listDnsRecords } from "../../api/dns-records.ts";
import { useApi } from "../../api/query.ts";
import { DataTable, EmptyList } from "../../components/data-table.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-of-page.ts";
import { recordColumns } from "./record-columns.tsx";
import { RecordFilters } from "./record-filters.tsx";
import type { DnsSearch } from "./routes.ts";

const route = getRouteApi("/shell/zones/$zoneId/dns");

/** The DNS records of a zone. */
export function DnsPage() {
  const { zoneId, zone } = useZoneOfPage();
  const search = route.useSearch();
  const navigate = route.useNavigate();
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
  return (
    <>
      <PageHeader title="DNS records" of={zone?.name} calls={[{ title: "List the records", call }]} />
      <RecordFilters
        filter={search}
        onFilter={(change) => show({ ...change, page: undefined }, { replace: true })}
      />
      <DataTable
        label="DNS records"
        query={records}
        columns={recordColumns}
        rowId={({ id }) => id}
        sorting={{ order, direction }}
        onSort={show}
        paging={{
          onPage: (page) => show({ page }),
          onPerPage: (perPage) => show({ per_page: perPage, page: undefined }),
        }}
        empty={
          isFiltered ? (
            <EmptyList title="No record matches">
              <Anchor renderRoot={(root) => <Link {...root} to="/zones/$zoneId/dns" params={{ zoneId }} />}>
                Show all records
              </Anchor>
            </EmptyList>
          ) : (
            <EmptyList title="No records yet" />
          )
        }
      />
    </>
  );
}
