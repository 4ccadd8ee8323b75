import { CloseButton, Group, NativeSelect, Pill, TextInput } from "@mantine/core";

import { challengeOutcomes } from "../../../../src/core/judging/rule-matches.ts";
import { useSentText } from "../../components/sent-text.ts";
import { wordsOf } from "../../components/setting-words.ts";
import { countryName, sourceNames } from "./event-words.tsx";
import type { EventsSearch } from "./search.ts";

import { spans } from "./spans.ts";

interface EventFiltersProps {
  readonly search: EventsSearch;
  readonly onSearch: (change: EventsSearch) => void;
}

const actions = [
  "block",
  "managed_challenge",
  "js_challenge",
  "challenge",
  ...challengeOutcomes,
  "log",
  "skip",
];

export function EventFilters({ search, onSearch }: EventFiltersProps) {
  return (
    <Group mb="md" gap="sm" align="flex-end">
      <NativeSelect
        aria-label="Time"
        data={spans.map(({ value, label }) => ({ value, label }))}
        value={search.span ?? "day"}
        onChange={(event) =>
          onSearch({
            span: spans.find(({ value }) => value === event.currentTarget.value)?.value,
            from: undefined,
            to: undefined,
          })
        }
      />
      <NativeSelect
        aria-label="Action"
        flex="1 1 9rem"
        maw={{ xs: 200 }}
        data={[
          { value: "", label: "All actions" },
          ...actions.map((action) => ({ value: action, label: wordsOf(action) })),
        ]}
        value={search.action ?? ""}
        onChange={(event) => onSearch({ action: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        aria-label="Source"
        flex="1 1 9rem"
        maw={{ xs: 200 }}
        data={[
          { value: "", label: "All sources" },
          ...Object.entries(sourceNames).map(([value, label]) => ({ value, label })),
        ]}
        value={search.source ?? ""}
        onChange={(event) => onSearch({ source: event.currentTarget.value || undefined })}
      />
      <ExactInput label="Client address" value={search.ip} onEnter={(ip) => onSearch({ ip })} />
      <ExactInput label="Host" value={search.host} onEnter={(host) => onSearch({ host })} />
      <Chosen label="Path" value={search.path} onClear={() => onSearch({ path: undefined })} />
      <Chosen
        label="Country"
        value={search.country && countryName(search.country)}
        onClear={() => onSearch({ country: undefined })}
      />
      <Chosen
        label="Time"
        value={search.from && search.to && partOf(search.from, search.to)}
        onClear={() => onSearch({ from: undefined, to: undefined })}
      />
      <Chosen label="Rule" value={search.rule} onClear={() => onSearch({ rule: undefined })} />
      <Chosen label="Request" value={search.ray} onClear={() => onSearch({ ray: undefined })} />
    </Group>
  );
}

const time = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function partOf(from: string, to: string): string {
  return time.formatRange(new Date(from), new Date(to));
}

interface ExactInputProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onEnter: (text: string | undefined) => void;
}

/** Takes a whole value: it applies with the enter key, or when the field is left. */
function ExactInput({ label, value = "", onEnter }: ExactInputProps) {
  const { text, setText, send } = useSentText(value, (next) => onEnter(next || undefined));
  const enter = (): void => send(text.trim());
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      spellCheck={false}
      autoComplete="off"
      flex="1 1 8rem"
      maw={{ xs: 200 }}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={enter}
      onKeyDown={(event) => event.key === "Enter" && enter()}
      rightSection={
        value !== "" && (
          <CloseButton
            size="sm"
            aria-label={`Clear: ${label}`}
            onClick={() => {
              setText("");
              send("");
            }}
          />
        )
      }
    />
  );
}

interface ChosenProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onClear: () => void;
}

function Chosen({ label, value, onClear }: ChosenProps) {
  if (value === undefined) return undefined;
  return (
    <Pill
      size="lg"
      withRemoveButton
      onRemove={onClear}
      removeButtonProps={{ "aria-label": `Show all: ${label}`, "aria-hidden": false, tabIndex: 0 }}
    >
      {label} {value}
    </Pill>
  );
}
