import { MultiSelect, NumberInput, Select, Stack, Switch, TagsInput, TextInput } from "@mantine/core";
import type { ValueSchema } from "../../../../src/core/zone-settings/valid-values.ts";
import { valueText, wordsOf } from "../../components/setting-words.ts";

interface ValueControlProps {
  /** The name of the setting, or of the part of it. */
  readonly id: string;
  readonly schema: ValueSchema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly disabled: boolean;
  /** For those who do not see what stands beside it; parts of a value show theirs. */
  readonly label: string;
  readonly isPart?: boolean;
  /** The text for a value that the plan does not have. */
  readonly lackOf?: (value: string | number) => string | undefined;
}

/** Whether a value is complete as soon as it is chosen, and need not be saved. */
export function isChosenAtOnce({ type, enum: values }: ValueSchema): boolean {
  return values !== undefined || type === "boolean";
}

/** A value of any form that settings have, by its schema. */
export function ValueControl(props: ValueControlProps) {
  const { id, schema, value, onChange, disabled, label, isPart = false, lackOf } = props;
  const said = isPart ? { label } : { "aria-label": label };
  const [first] = schema.anyOf ?? [schema];
  if (first === undefined) return undefined;
  if (first.type === "boolean" || first.enum?.every((one) => one === "on" || one === "off") === true) {
    const [on, off] = first.type === "boolean" ? [true, false] : ["on", "off"];
    return (
      <Switch
        {...said}
        disabled={disabled}
        checked={value === on}
        onChange={(event) => onChange(event.currentTarget.checked ? on : off)}
      />
    );
  }
  if (first.enum !== undefined)
    return (
      <Select
        {...said}
        {...inPage}
        disabled={disabled}
        allowDeselect={false}
        data={first.enum.map((one) => {
          const lack = lackOf?.(one);
          return {
            value: String(one),
            label: lack === undefined ? valueText(id, one) : `${valueText(id, one)} (${lack})`,
            disabled: lack !== undefined,
          };
        })}
        value={String(value)}
        onChange={(chosen) => onChange(first.enum?.find((one) => String(one) === chosen))}
      />
    );
  if (first.type === "integer")
    return (
      <NumberInput
        {...said}
        disabled={disabled}
        allowDecimal={false}
        {...(first.minimum !== undefined && { min: first.minimum })}
        {...(first.maximum !== undefined && { max: first.maximum })}
        value={Number(value)}
        onChange={onChange}
      />
    );
  if (first.type === "array")
    return first.items?.enum === undefined ? (
      <TagsInput {...said} {...inPage} disabled={disabled} value={textsOf(value)} onChange={onChange} />
    ) : (
      <MultiSelect
        {...said}
        {...inPage}
        disabled={disabled}
        searchable
        data={first.items.enum.map(String)}
        value={textsOf(value)}
        onChange={onChange}
      />
    );
  if (first.type === "object")
    return (
      <Stack gap="xs">
        {Object.entries(first.properties ?? {}).map(([name, part]) => (
          <ValueControl
            key={name}
            id={name}
            schema={part}
            isPart
            label={wordsOf(name)}
            disabled={disabled}
            value={(value as Readonly<Record<string, unknown>>)[name]}
            onChange={(next) => onChange({ ...(value as object), [name]: next })}
          />
        ))}
      </Stack>
    );
  return (
    <TextInput
      {...said}
      disabled={disabled}
      value={typeof value === "string" ? value : ""}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** A list of choices is of the page, as what it belongs to is. */
const inPage = { comboboxProps: { portalProps: { target: "#page" } } } as const;

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
