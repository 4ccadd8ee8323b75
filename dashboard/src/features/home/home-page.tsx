import { PlusIcon } from "@heroicons/react/24/outline";
import { Button, Group, Select, Text, Box } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";

import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { call, wholeList } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { AnchorLink } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SearchInput } from "../../components/search-input.tsx";
import { planName } from "../../components/setting-words.ts";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { AddZoneModal } from "./add-zone-modal.tsx";
import { zoneStatuses, type HomeSearch } from "./search.ts";
import { Checklist, type Step } from "../../components/checklist.tsx";
import { counted } from "../../components/counted.ts";

const route = getRouteApi("/shell/");

const columns: readonly Column<Zone>[] = [
  {
    key: "name",
    header: "Zone",
    order: "name",
    cell: ({ id, name }) => (
      <AnchorLink fw={600} size="sm" to="/zones/$zoneId" params={{ zoneId: id }}>
        {name}
      </AnchorLink>
    ),
  },
  {
    key: "status",
    header: "Status",
    order: "status",
    width: "9rem",
    cell: ({ status, paused }) => (
      <Group gap={6}>
        <StatusBadge status={status} />
        {paused && <StatusBadge status="paused" />}
      </Group>
    ),
  },
  {
    key: "plan",
    header: "Plan",
    order: "plan.id",
    width: "8rem",
    cell: ({ plan }) => planName(plan.legacy_id),
  },
  {
    key: "account",
    header: "Account",
    order: "account.name",
    cell: ({ account: { id, name } }) => (
      <AnchorLink size="sm" to="/accounts/$accountId/members" params={{ accountId: id }}>
        {name}
      </AnchorLink>
    ),
  },
  { key: "created", header: "Added", width: "9rem", cell: ({ created_on }) => <Timestamp at={created_on} /> },
];

export function HomePage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const accounts = useApi(call("listAccounts", {}, wholeList)).data?.result ?? [];
  const show = (change: HomeSearch, options = {}): void =>
    void navigate({ search: { ...search, ...change }, ...options });
  const open = (): void => show({ add: true });
  const close = (): void => show({ add: undefined }, { replace: true, ignoreBlocker: true });
  const { order = "name", direction = "asc" } = search;
  const request = call(
    "listZones",
    {},
    {
      page: search.page ?? 1,
      per_page: search.per_page ?? 20,
      order,
      direction,
      name: search.search === undefined ? undefined : `contains:${search.search.toLowerCase()}`,
      "account.id": search.account,
      status: search.status,
    },
  );
  const zones = useApi(request);
  const isFiltered =
    search.search !== undefined || search.account !== undefined || search.status !== undefined;
  const total = zones.data?.result_info?.total_count;
  return (
    <>
      <PageHeader
        title="Zones"
        description="The domains of your accounts."
        calls={[
          { title: "List the zones", call: request },
          { title: "List the accounts", call: call("listAccounts", {}, wholeList) },
        ]}
      >
        <Button leftSection={<PlusIcon width={18} aria-hidden />} onClick={open} data-shortcut="n">
          Add a zone
        </Button>
      </PageHeader>
      <Group mb="md" gap="sm">
        <SearchInput
          label="Search zones by name"
          value={search.search ?? ""}
          onSearch={(text) => show({ search: text || undefined, page: undefined }, { replace: true })}
        />
        <Select
          aria-label="Status"
          placeholder="Any status"
          clearable
          data={[...zoneStatuses]}
          value={search.status ?? null}
          onChange={(status) => show({ status: status ?? undefined, page: undefined })}
        />
        {accounts.length > 1 && (
          <Select
            aria-label="Account"
            placeholder="All accounts"
            clearable
            searchable
            data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
            value={search.account ?? null}
            onChange={(account) => show({ account: account ?? undefined, page: undefined })}
          />
        )}
      </Group>
      <DataTable
        label="Zones"
        query={zones}
        columns={columns}
        rowId={({ id }) => id}
        sorting={{ order, direction }}
        onSort={show}
        onPage={show}
        empty={
          isFiltered ? (
            <EmptyList title="No zone matches">
              <AnchorLink to="/">Show all zones</AnchorLink>
            </EmptyList>
          ) : (
            <EmptyList title="No zones yet">
              <Text size="sm" mb="md">
                Add the first one to manage its DNS records, certificates and firewall.
              </Text>
              <Button onClick={open}>Add a zone</Button>
            </EmptyList>
          )
        }
      />
      {!isFiltered && total !== undefined && <FirstSteps zones={total} />}
      <AddZoneModal opened={search.add === true} onClose={close} accounts={accounts} />
    </>
  );
}

/** The next steps of a newcomer, until all are done; `zones` is the number of zones. */
function FirstSteps({ zones }: { readonly zones: number }) {
  const request = call("listTokens", {}, { page: 1, per_page: 1, include_expired: false });
  const tokens = useApi(request).data?.result_info?.total_count;
  const user = useApi(call("getUser", {})).data?.result;
  if (tokens === undefined || user === undefined) return undefined;
  const isProtected = user.two_factor_authentication_enabled;
  const steps: readonly Step[] = [
    {
      title: "Add a zone",
      isDone: zones > 0,
      detail:
        zones === 0 ? "A domain whose DNS, certificates and firewall you manage." : counted(zones, "zone"),
      link: { to: "/", search: { add: true }, text: "Add a zone" },
    },
    {
      title: "Make an API token",
      isDone: tokens > 0,
      detail: tokens === 0 ? "What scripts and Terraform sign in with." : counted(tokens, "token"),
      link: { to: "/profile/tokens/new", text: "Create a token" },
    },
    {
      title: "Protect your sign-in",
      isDone: isProtected,
      detail: isProtected ? "It takes a second factor." : "With an authenticator app or a passkey.",
      link: { to: "/profile/two-factor", text: "Set it up" },
    },
  ];
  if (steps.every(({ isDone }) => isDone)) return undefined;
  return (
    <Box mt="lg">
      <Checklist title="Next steps" steps={steps} />
    </Box>
  );
}
