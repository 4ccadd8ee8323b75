import { Button, Fieldset, Group, SegmentedControl, Stack, Text, Textarea } from "@mantine/core";
import { memo, useState } from "react";

import { counted } from "../../components/counted.ts";
import { LineTable } from "./import-outcome.tsx";
import { keyOfBadLine, keyOfConflict, type ImportChoices } from "./import-plan.ts";
import type { BadLine, ImportConflict, ImportPreview } from "./import-preview.ts";

interface ImportedRecordsProps {
  readonly preview: ImportPreview;
  readonly choices: ImportChoices;
  readonly onChoose: (choices: ImportChoices) => void;
  /** Puts another text in the place of a bad line. */
  readonly onCorrect: (line: BadLine, text: string) => void;
}

/** Lines to decide about that are shown at once. */
const shownMax = 50;

/** The preview of an import: added records, passed over ones, and decisions to make first. */
export const ImportedRecords = memo(({ preview, choices, onChoose, onCorrect }: ImportedRecordsProps) => {
  const { added, kept, conflicts, bad, ownCount } = preview;
  const open = bad.filter((line) => !choices.skipped.has(keyOfBadLine(line)));
  const skip = (lines: readonly BadLine[]): void =>
    onChoose({ ...choices, skipped: choices.skipped.union(new Set(lines.map(keyOfBadLine))) });
  const passedOver = [
    [kept.length, "already there"],
    [ownCount, "of the zone itself"],
    [bad.length - open.length, "skipped"],
  ] as const;
  return (
    <Stack gap="md">
      <Group gap="lg" role="status">
        <Text size="sm" fw={600}>
          {added.length === 0 ? "Nothing to add" : `${added.length} to add`}
        </Text>
        {passedOver.map(
          ([count, what]) =>
            count > 0 && (
              <Text key={what} size="sm" c="dimmed">
                {count} {what}
              </Text>
            ),
        )}
      </Group>
      {open.length > 0 && (
        <Fieldset legend={`${counted(open.length, "line is", "lines are")} not valid`}>
          <Stack gap="sm">
            {open.slice(0, shownMax).map((line) => (
              <BadLineFields
                key={keyOfBadLine(line)}
                bad={line}
                onSkip={() => skip([line])}
                onCorrect={(text) => onCorrect(line, text)}
              />
            ))}
            <Group justify="space-between">
              <Text size="sm" c="dimmed">
                {open.length > shownMax && `… and ${open.length - shownMax} more`}
              </Text>
              {open.length > 1 && (
                <Button size="xs" variant="default" onClick={() => skip(open)}>
                  Skip all {open.length}
                </Button>
              )}
            </Group>
          </Stack>
        </Fieldset>
      )}
      {conflicts.length > 0 && <Conflicts conflicts={conflicts} choices={choices} onChoose={onChoose} />}
      {added.length > 0 && (
        <LineTable
          label="Records to add"
          columns={["Type", "Name", "Content"]}
          rows={added.map(({ line, type, name, content, priority }) => ({
            line,
            cells: [type, name, priority === undefined ? content : `${priority} ${content}`],
          }))}
        />
      )}
    </Stack>
  );
});

interface BadLineFieldsProps {
  readonly bad: BadLine;
  readonly onSkip: () => void;
  readonly onCorrect: (text: string) => void;
}

function BadLineFields({ bad, onSkip, onCorrect }: BadLineFieldsProps) {
  const [text, setText] = useState(bad.text);
  const correct = (): void => {
    if (text !== bad.text) onCorrect(text);
  };
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap">
      <Textarea
        label={`Line ${bad.line}`}
        error={bad.reason}
        size="xs"
        rows={Math.min(bad.text.split("\n").length, 4)}
        flex={1}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={correct}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey) return;
          event.preventDefault();
          correct();
        }}
      />
      <Button size="xs" variant="default" mt={22} aria-label={`Skip line ${bad.line}`} onClick={onSkip}>
        Skip
      </Button>
    </Group>
  );
}

function Conflicts({
  conflicts,
  choices,
  onChoose,
}: Pick<ImportedRecordsProps, "choices" | "onChoose"> & { readonly conflicts: readonly ImportConflict[] }) {
  const setReplaced = (replaced: ReadonlySet<string>): void => onChoose({ ...choices, replaced });
  return (
    <Fieldset legend={`${conflicts.length} cannot stand beside what the zone has`}>
      <Stack gap="sm">
        {conflicts.slice(0, shownMax).map((conflict) => {
          const { line, type, name, content } = conflict.record;
          const key = keyOfConflict(conflict);
          return (
            <Group key={key} gap="sm" justify="space-between" wrap="nowrap">
              <div>
                <Text size="sm" className="monospace">
                  {type} {name} {content}
                </Text>
                <Text size="xs" c="dimmed">
                  Line {line}; the zone has{" "}
                  {conflict.with.map((other) => `${other.type} ${other.content}`).join(", ")}
                </Text>
              </div>
              <SegmentedControl
                size="xs"
                aria-label={`What to do with line ${line}`}
                data={["Skip", "Replace"]}
                value={choices.replaced.has(key) ? "Replace" : "Skip"}
                onChange={(choice) => {
                  const others = choices.replaced.difference(new Set([key]));
                  setReplaced(choice === "Replace" ? others.union(new Set([key])) : others);
                }}
              />
            </Group>
          );
        })}
        {conflicts.length > 1 && (
          <Group justify="flex-end">
            <Button
              size="xs"
              variant="default"
              onClick={() => setReplaced(new Set(conflicts.map(keyOfConflict)))}
            >
              Replace all {conflicts.length}
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}
