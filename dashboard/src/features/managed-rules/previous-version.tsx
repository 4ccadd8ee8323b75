import { Skeleton, Stack, Switch, Tabs, Card, Group, NativeSelect, Text, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";

import type { WafPackage, WafGroup } from "../../../../src/resources/previous-waf/schema.ts";
import { call, wholeList } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { ErrorAlert, Pending } from "../../components/error-alert.tsx";
import { PackageRules } from "./package-rules.tsx";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { AnchorLink } from "../../components/links.tsx";
import type { ManagedRulesSearch } from "./search.ts";

const route = getRouteApi("/shell/zones/$zoneId/security/waf/managed-rules");

/** The previous version: its switch, and its packages with their groups and rules. */
export function PreviousVersion({ zoneId }: { readonly zoneId: string }) {
  const packages = useApi(call("listWafPackages", { zone_id: zoneId }, wholeList));
  const search = route.useSearch();
  const navigate = route.useNavigate();
  if (packages.data === undefined)
    return (
      <Pending
        height={320}
        title="The packages could not be listed"
        error={packages.error}
        onRetry={() => void packages.refetch()}
      />
    );
  const [first, ...others] = packages.data.result;
  if (first === undefined) return undefined;
  const shown = others.find(({ id }) => id === search.package) ?? first;
  return (
    <Stack gap="md">
      <WafSwitchControl zoneId={zoneId} />
      <Tabs
        value={shown.id}
        keepMounted={false}
        onChange={(id) =>
          void navigate({ search: { view: search.view, ...(id !== null && { package: id }) } })
        }
      >
        <Tabs.List mb="md" aria-label="Packages">
          {packages.data.result.map(({ id, name }) => (
            <Tabs.Tab key={id} value={id}>
              {packageNames[name] ?? name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {packages.data.result.map((entry) => (
          <Tabs.Panel key={entry.id} value={entry.id}>
            <Package entry={entry} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

/** Names of the API that say little, as people know them. */
const packageNames: Readonly<Record<string, string>> = {
  CloudFlare: "Managed rules",
  "OWASP ModSecurity Core Rule Set": "OWASP Core Rule Set",
  USER: "Customer requested",
};

function Package({ entry }: { readonly entry: WafPackage }) {
  const groups = useApi(call("listWafGroups", { zone_id: entry.zone_id, package_id: entry.id }, wholeList));
  return (
    <Stack gap="lg">
      {entry.detection_mode === "anomaly" && <PackageSettings entry={entry} />}
      {groups.isPending ? (
        <Skeleton height={520} radius="md" />
      ) : (
        <>
          <PackageGroups entry={entry} />
          <PackageRules entry={entry} />
        </>
      )}
    </Stack>
  );
}

function WafSwitchControl({ zoneId }: { readonly zoneId: string }) {
  const {
    data,
    error: failure,
    refetch,
  } = useApi(call("getZoneSetting", { zone_id: zoneId, setting_id: "waf" }));
  const { mutate, isPending, error } = useApiMutation(
    (isOn: boolean) =>
      call("editZoneSetting", { zone_id: zoneId, setting_id: "waf" }, { value: isOn ? "on" : "off" }),
    { invalidates: [call("getZone", { zone_id: zoneId })] },
  );
  if (data === undefined)
    return (
      <Pending
        height={44}
        title="It is unknown whether the firewall is on"
        error={failure}
        onRetry={() => void refetch()}
      />
    );
  const isOn = data.result.value === "on";
  return (
    <Stack gap="xs">
      <Switch
        label="Web Application Firewall"
        description={
          isOn
            ? "The packages below check the requests to this zone."
            : "Off: the packages below check no requests."
        }
        checked={isOn}
        disabled={isPending}
        onChange={(event) => mutate(event.currentTarget.checked)}
      />
      <ErrorAlert title="The setting was not changed" error={error} />
    </Stack>
  );
}

const sensitivities = [
  { value: "high", label: "High" },
  { value: "medium", label: "Medium" },
  { value: "low", label: "Low" },
  { value: "off", label: "Off" },
];
const actions = [
  { value: "simulate", label: "Simulate" },
  { value: "challenge", label: "Challenge" },
  { value: "block", label: "Block" },
];

/** Sensitivity and action of the package whose rules add up. */
function PackageSettings({ entry }: { readonly entry: WafPackage }) {
  const { zone_id: zoneId, id, sensitivity, action_mode: actionMode } = entry;
  const { mutate, isPending, error } = useApiMutation(
    (change: Pick<WafPackage, "sensitivity" | "action_mode">) =>
      call("editWafPackage", { zone_id: zoneId, package_id: id }, change),
    { invalidates: [call("getZone", { zone_id: zoneId })] },
  );
  return (
    <Card withBorder padding="lg">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          The rules of this package add up scores; the total decides.
        </Text>
        <Group gap="md" align="flex-end">
          <NativeSelect
            label="Sensitivity"
            data={sensitivities}
            value={sensitivity ?? "high"}
            disabled={isPending}
            onChange={(event) =>
              mutate({ sensitivity: event.currentTarget.value as NonNullable<typeof sensitivity> })
            }
          />
          <NativeSelect
            label="Action"
            data={actions}
            value={actionMode ?? "challenge"}
            disabled={isPending}
            onChange={(event) =>
              mutate({ action_mode: event.currentTarget.value as NonNullable<typeof actionMode> })
            }
          />
        </Group>
        <ErrorAlert title="The package was not changed" error={error} />
      </Stack>
    </Card>
  );
}

/** The groups of a package, each on or off. */
function PackageGroups({ entry: { zone_id: zoneId, id: packageId } }: { readonly entry: WafPackage }) {
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
  /** The rest of the address besides the group. */
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
