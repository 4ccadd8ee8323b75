import { Group, MultiSelect, Pill, Radio, Select, Skeleton, Stack } from "@mantine/core";
import { useState } from "react";

import type { RulesetHead } from "../../../../src/core/rulesets/ruleset.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import type { SkipDraft } from "./rule-draft.ts";

interface ExceptionFieldsProps {
  readonly zoneId: string;
  readonly rulesets: readonly RulesetHead[];
  readonly value: SkipDraft;
  readonly onChange: (draft: SkipDraft) => void;
}

/** Chooses the later rules that an exception skips. */
export function ExceptionFields({ zoneId, rulesets, value, onChange }: ExceptionFieldsProps) {
  return (
    <Stack gap="sm">
      <Radio.Group label="Skip" value={value.reach} onChange={(reach) => onChange({ ...value, reach })}>
        <Stack gap="xs" mt="xs">
          <Radio value="everything" label="All managed rules after it" />
          <Radio value="rulesets" label="Whole managed rulesets" />
          <Radio value="rules" label="Individual rules of managed rulesets" />
          <Radio value="both" label="Whole managed rulesets, and individual rules of others" />
        </Stack>
      </Radio.Group>
      {(value.reach === "rulesets" || value.reach === "both") && (
        <MultiSelect
          label="Rulesets"
          required
          withAsterisk={false}
          data={rulesets.map(({ id, name }) => ({ value: id, label: name }))}
          value={[...value.rulesetIds]}
          onChange={(rulesetIds) => onChange({ ...value, rulesetIds })}
          searchable
        />
      )}
      {(value.reach === "rules" || value.reach === "both") && (
        <SkippedRules zoneId={zoneId} rulesets={rulesets} value={value} onChange={onChange} />
      )}
    </Stack>
  );
}

/** Rules are chosen one ruleset after another; those of the others stay chosen. */
function SkippedRules({ zoneId, rulesets, value, onChange }: ExceptionFieldsProps) {
  const [chosenId, setChosenId] = useState(Object.keys(value.ruleIds)[0] ?? rulesets[0]?.id ?? "");
  const { data } = useApi(call("getRuleset", { zone_id: zoneId, ruleset_id: chosenId }), {
    enabled: chosenId !== "",
  });
  const ruleset = data?.result.id === chosenId ? data.result : undefined;
  return (
    <Group gap="md" align="flex-start">
      <Select
        label="Ruleset"
        allowDeselect={false}
        data={rulesets.map(({ id, name }) => ({
          value: id,
          label: `${name}${countOf(value.ruleIds[id])}`,
        }))}
        value={chosenId}
        onChange={(id) => setChosenId(id ?? "")}
        flex="1 1 16rem"
      />
      {ruleset === undefined ? (
        <Skeleton height={36} mt={25} flex="2 1 20rem" />
      ) : (
        <MultiSelect
          label="Rules"
          searchable
          limit={50}
          data={ruleset.rules.map(({ id, description }) => ({ value: id, label: `${description} (${id})` }))}
          renderPill={({ value: id, onRemove, disabled = false }) => (
            <Pill withRemoveButton={!disabled} {...(onRemove && { onRemove })} title={id}>
              {ruleset.rules.find((rule) => rule.id === id)?.description ?? id}
            </Pill>
          )}
          value={[...(value.ruleIds[chosenId] ?? [])]}
          onChange={(ids) => onChange({ ...value, ruleIds: { ...value.ruleIds, [chosenId]: ids } })}
          flex="2 1 20rem"
          // A long name of a chosen rule must not widen a phone's page.
          miw={0}
        />
      )}
    </Group>
  );
}

function countOf(ids: readonly string[] = []): string {
  return ids.length === 0 ? "" : ` (${ids.length})`;
}
