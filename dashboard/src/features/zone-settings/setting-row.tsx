import { Badge, Box, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useInterval } from "@mantine/hooks";

import type { Plan } from "../../../../src/core/expression/phases.ts";
import { shownInForce } from "../../../../src/core/in-force/in-force.ts";
import { settingsInForce } from "../../../../src/core/in-force/settings.ts";
import { hasValue, initialValue, type Setting } from "../../../../src/core/zone-settings/setting.ts";
import type { ZoneSetting } from "../../../../src/resources/zone-settings/schema.ts";
import { plainText } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { useDraft } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { planTitles, valueText, wordsOf } from "../../components/setting-words.ts";
import { Timestamp } from "../../components/timestamp.tsx";
import { isChosenAtOnce, ValueControl } from "./value-control.tsx";
import classes from "./setting-row.module.css";
import { showDone } from "../../components/notices.tsx";

interface SettingRowProps {
  readonly zoneId: string;
  readonly plan: Plan;
  readonly known: Setting;
  readonly setting: ZoneSetting;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A setting with its control, what it is without a change, and which plan it needs. */
export function SettingRow({ zoneId, plan, known, setting }: SettingRowProps) {
  const { id, editable, value: stored, modified_on, time_remaining } = setting;
  const title = wordsOf(id);
  const inForce = settingsInForce[id];
  const [draft, setDraft] = useState<{ readonly value: unknown }>();
  const { mutate, isPending, variables, error } = useApiMutation(
    (value: unknown) => call("editZoneSetting", { zone_id: zoneId, setting_id: id }, { value: value }),
    {
      invalidates: [call("getZone", { zone_id: zoneId })],
      onSuccess: ({ result: { value } }) => {
        setDraft(undefined);
        showDone(`${title} is now ${valueText(id, value)}.`);
      },
    },
  );
  const isImmediate = isChosenAtOnce(known.values.schema);
  const value = isPending ? variables : draft === undefined ? stored : draft.value;
  const isChanged = draft !== undefined && !isSame(draft.value, stored);
  useDraft(isChanged);
  const initial = initialValue(known, plan);
  const lackOf = (one: string | number): string | undefined =>
    hasValue(known, plan, one) ? undefined : planTitles[known.valuesFrom?.[one] ?? "enterprise"];
  return (
    <Box component="section" aria-label={title} className={classes.row ?? ""}>
      <Stack gap={4} flex="1 1 20rem" miw={0}>
        <Group gap="xs">
          <Text fw={600} size="sm">
            {title}
          </Text>
          {!editable && <NeededPlan setting={known} />}
        </Group>
        <Text size="sm">{plainText(known.description)}</Text>
        {inForce?.place === "stored" && <Text size="sm">{plainText(shownInForce(inForce))}</Text>}
        <Text size="xs" c="dimmed" component="div">
          Default: {valueText(id, initial)}
          {modified_on !== null && (
            <>
              {" · changed "}
              <Timestamp at={modified_on} />
            </>
          )}
        </Text>
      </Stack>
      <Stack gap="xs" className={classes.control ?? ""}>
        <ValueControl
          id={id}
          schema={known.values.schema}
          value={value}
          label={title}
          disabled={!editable || isPending}
          lackOf={lackOf}
          onChange={(next) => (isImmediate ? mutate(next) : setDraft({ value: next }))}
        />
        {time_remaining !== undefined && stored === "on" && (
          <DevelopmentModeEnd key={time_remaining} seconds={time_remaining} />
        )}
        {isChanged && (
          <Group gap="xs">
            <Button size="xs" loading={isPending} onClick={() => mutate(draft.value)}>
              Save
            </Button>
            <Button size="xs" variant="default" onClick={() => setDraft(undefined)}>
              Discard
            </Button>
          </Group>
        )}
        {editable && !isChanged && !isSame(stored, initial) && (
          <Group>
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={`Set to default: ${title}`}
              onClick={() => mutate(initial)}
            >
              Set to default
            </Button>
          </Group>
        )}
      </Stack>
      {error !== null && (
        <Box w="100%">
          <ErrorAlert title={`${title} was not changed`} error={error} />
        </Box>
      )}
    </Box>
  );
}

function NeededPlan({ setting: { editableFrom } }: { readonly setting: Setting }) {
  if (editableFrom === "no plan")
    return (
      <Badge variant="light" color="gray" tt="none">
        Part of the plan
      </Badge>
    );
  if (editableFrom === undefined || editableFrom === "free")
    return (
      <Badge variant="light" color="gray" tt="none">
        Cannot be changed
      </Badge>
    );
  return (
    <Badge variant="light" color="yellow" tt="none">
      {editableFrom === "enterprise" ? "Enterprise" : `${planTitles[editableFrom]} and above`}
    </Badge>
  );
}

const tickMs = 1_000;
const pad = (part: number): string => String(part).padStart(2, "0");

/** The rest of development mode, counted down from the last answer of the server. */
function DevelopmentModeEnd({ seconds }: { readonly seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useInterval(() => setLeft((before) => before - 1), tickMs, { autoInvoke: true });
  const shown = Math.max(0, left);
  return (
    <Text size="xs" c="dimmed" role="timer">
      Ends by itself in {Math.floor(shown / 3_600)}:{pad(Math.floor((shown % 3_600) / 60))}:{pad(shown % 60)}
    </Text>
  );
}
