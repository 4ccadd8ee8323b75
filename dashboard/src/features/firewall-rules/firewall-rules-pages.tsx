import { PauseIcon, PlayIcon } from "@heroicons/react/24/outline";
import { useMemo } from "react";

import { planOrder } from "../../../../src/core/expression/phases.ts";
import type { FirewallRule } from "../../../../src/resources/firewall-rules/schema.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { ResourcePage } from "../../components/resource/resource-page.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { filters } from "./filters.tsx";
import { firewallRules } from "./firewall-rules.tsx";

export function FirewallRulesPage() {
  const { zoneId, name, plan } = useZonePlan();
  const resource = useMemo(() => firewallRules(zoneId, plan), [zoneId, plan]);
  return (
    <ResourcePage
      resource={resource}
      of={name}
      description="Rules of the previous kind, each with a filter. Custom rules have taken their place; a changed expression becomes a new filter."
      renderActions={(rule) => <Pause zoneId={zoneId} rule={rule} />}
    />
  );
}

export function FiltersPage() {
  const { zoneId, name, plan } = useZonePlan();
  const resource = useMemo(() => filters(zoneId, plan), [zoneId, plan]);
  return <ResourcePage resource={resource} of={name} description="The expressions of the firewall rules." />;
}

function useZonePlan() {
  const { zoneId, zone } = useZoneOfPage();
  return { zoneId, name: zone?.name, plan: planOrder.find((plan) => plan === zone?.plan.legacy_id) };
}

interface PauseProps {
  readonly zoneId: string;
  readonly rule: FirewallRule;
}

/** Takes a rule out of force, and back. */
function Pause({ zoneId, rule: { id, paused, description } }: PauseProps) {
  const { mutate, isPending } = useApiMutation(
    () => call("editFirewallRule", { zone_id: zoneId, rule_id: id }, { paused: !paused }),
    {},
  );
  const Icon = paused ? PlayIcon : PauseIcon;
  return (
    <IconButton
      Icon={Icon}
      loading={isPending}
      label={`${paused ? "Put in force" : "Pause"}: ${description || id}`}
      onClick={() => mutate(undefined)}
    />
  );
}
