import { Stack, Switch, Text, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";

import type { WafGroup, WafPackage } from "../../../../src/resources/previous-waf/schema.ts";
import { call, wholeList } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { AnchorLink } from "../../components/links.tsx";
import type { ManagedRulesSearch } from "./search.ts";

const route = getRouteApi("/shell/zones/$zoneId/security/waf/managed-rules");

/** The groups of a package, each on or off. */
export function PackageGroups({ entry: { zone_id: zoneId, id: packageId } }: { readonly entry: WafPackage }) {
  const groups = useApi(call("listWafGroups", { zone_id: zoneId, package_id: packageId }, wholeList));
  const search = route.useSearch();
  const edit = useApiMutation(
    ({ id, mode }: Pick<WafGroup, "id" | "mode">) =>
      call("editWafGroup", { zone_id: zoneId, package_id: packageId, group_id: id }, { mode: mode }),
    { invalidates: [call("getZone", { zone_id: zoneId })] },
  );
  return (
    <Stack gap="xs">
      <Title order={2}>Groups</Title>
      <ErrorAlert title="The group was not changed" error={edit.error} />
      <DataTable
        label="Groups"
        query={groups}
        columns={groupColumns({
          zoneId,
          search: { view: search.view, package: packageId },
          isPending: edit.isPending,
          onMode: edit.mutate,
        })}
        rowId={({ id }) => id}
        empty={<EmptyList title="This package has no groups" />}
      />
    </Stack>
  );
}

interface GroupColumns {
  readonly zoneId: string;
  /** What the address says besides the group. */
  readonly search: ManagedRulesSearch;
  readonly isPending: boolean;
  readonly onMode: (change: Pick<WafGroup, "id" | "mode">) => void;
}

function groupColumns({ zoneId, search, isPending, onMode }: GroupColumns): readonly Column<WafGroup>[] {
  return [
    {
      key: "name",
      header: "Group",
      cell: ({ id, name, description }) => (
        <>
          <AnchorLink
            size="sm"
            fw={500}
            to="/zones/$zoneId/security/waf/managed-rules"
            params={{ zoneId }}
            search={{ ...search, group: id }}
            resetScroll={false}
          >
            {name}
          </AnchorLink>
          {description !== "" && (
            <Text size="xs" c="dimmed">
              {description}
            </Text>
          )}
        </>
      ),
    },
    { key: "rules", header: "Rules", width: "6rem", cell: ({ rules_count: count }) => count },
    {
      key: "changed",
      header: "Changed",
      width: "7rem",
      cell: ({ modified_rules_count: count }) => (count === 0 ? "–" : count),
    },
    {
      key: "mode",
      header: "Mode",
      width: "6rem",
      cell: ({ id, name, mode }) => (
        <Switch
          aria-label={`Group ${name}`}
          checked={mode === "on"}
          disabled={isPending}
          onChange={(event) => onMode({ id, mode: event.currentTarget.checked ? "on" : "off" })}
        />
      ),
    },
  ];
}
