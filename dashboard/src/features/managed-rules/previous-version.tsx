import { Skeleton, Stack, Switch, Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";

import type { WafPackage } from "../../../../src/resources/previous-waf/schema.ts";
import { call, wholeList } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { ErrorAlert, Pending } from "../../components/error-alert.tsx";
import { PackageGroups } from "./package-groups.tsx";
import { PackageRules } from "./package-rules.tsx";
import { PackageSettings } from "./package-settings.tsx";

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
