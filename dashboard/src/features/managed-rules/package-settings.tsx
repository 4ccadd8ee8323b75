import { Card, Group, NativeSelect, Stack, Text } from "@mantine/core";

import type { WafPackage } from "../../../../src/resources/previous-waf/schema.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";

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
export function PackageSettings({ entry }: { readonly entry: WafPackage }) {
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
