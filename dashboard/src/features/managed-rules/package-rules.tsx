import { Group, NativeSelect, Select, Stack, Text, Title } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";

import type { WafPackage, WafRule } from "../../../../src/resources/previous-waf/schema.ts";
import { call, wholeList } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { SearchInput } from "../../components/search-input.tsx";
import type { ManagedRulesSearch } from "./search.ts";

const route = getRouteApi("/shell/zones/$zoneId/security/waf/managed-rules");

/** The rules of a package with their modes, of one group or of all; asked for once they are in view. */
export function PackageRules({ entry: { zone_id: zoneId, id: packageId } }: { readonly entry: WafPackage }) {
  const { ref, inViewport } = useInViewport();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = (change: ManagedRulesSearch): void =>
    void navigate({ search: { ...search, ...change }, replace: true, resetScroll: false });
  const groups =
    useApi(call("listWafGroups", { zone_id: zoneId, package_id: packageId }, wholeList)).data?.result ?? [];
  const group = groups.find(({ id }) => id === search.group);
  const rules = useApi(
    call(
      "listWafRules",
      { zone_id: zoneId, package_id: packageId },
      {
        page: search.page ?? 1,
        per_page: search.per_page ?? 20,
        description: search.search,
        group_id: group?.id,
      },
    ),
    { enabled: inViewport },
  );
  const edit = useApiMutation(
    ({ id, mode }: Pick<WafRule, "id" | "mode">) =>
      call("editWafRule", { zone_id: zoneId, package_id: packageId, rule_id: id }, { mode: mode }),
    { invalidates: [call("getZone", { zone_id: zoneId })] },
  );
  return (
    <Stack gap="xs" ref={ref}>
      <Title order={2}>Rules</Title>
      <Group gap="sm">
        <SearchInput
          key={packageId}
          label="Search rules by description"
          value={search.search ?? ""}
          onSearch={(text) => show({ search: text || undefined, page: undefined })}
        />
        <Select
          aria-label="Group"
          placeholder="All groups"
          clearable
          searchable
          data={groups.map(({ id, name }) => ({ value: id, label: name }))}
          value={group?.id ?? null}
          onChange={(id) => show({ group: id ?? undefined, page: undefined })}
          w={{ base: "100%", xs: 280 }}
        />
      </Group>
      <ErrorAlert title="The rule was not changed" error={edit.error} />
      <DataTable
        label="Rules"
        query={rules}
        columns={ruleColumns(edit.isPending, edit.mutate)}
        rowId={({ id }) => id}
        onPage={show}
        empty={<EmptyList title={search.search === undefined ? "No rules" : "No rule matches"} />}
      />
    </Stack>
  );
}

function ruleColumns(
  isPending: boolean,
  onMode: (change: Pick<WafRule, "id" | "mode">) => void,
): readonly Column<WafRule>[] {
  return [
    {
      key: "id",
      header: "Id",
      width: "7rem",
      cell: ({ id }) => (
        <Text size="sm" className="monospace">
          {id}
        </Text>
      ),
    },
    { key: "description", header: "Description", cell: ({ description }) => description },
    { key: "group", header: "Group", width: "24%", cell: ({ group: { name } }) => name },
    {
      key: "mode",
      header: "Mode",
      width: "12rem",
      cell: (rule) => (
        <NativeSelect
          size="xs"
          aria-label={`Mode of rule ${rule.id}`}
          data={rule.allowed_modes.map((mode) => ({ value: mode, label: modeName(mode, rule) }))}
          value={rule.mode}
          disabled={isPending}
          onChange={(event) => onMode({ id: rule.id, mode: event.currentTarget.value })}
        />
      ),
    },
  ];
}

/** "Default (block)", "Simulate". */
function modeName(mode: string, { default_mode: defaultMode }: WafRule): string {
  const name = mode[0]?.toUpperCase() + mode.slice(1);
  return mode === "default" && defaultMode !== undefined ? `${name} (${defaultMode})` : name;
}
