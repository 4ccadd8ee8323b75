import { PlusIcon, XMarkIcon } from "@heroicons/react/24/outline";
import { Box, Button, Fieldset, Group, NativeSelect, Select, Stack, Text, TextInput } from "@mantine/core";
import { use, useState } from "react";
import type { Schema, ObjectSchema } from "../../../../../src/core/rulesets/shapes.ts";
import { IconButton } from "../../../components/icon-button.tsx";
import { errorAt, SurroundingsContext } from "./surroundings.ts";
import { drawnFields, fieldsOf, initialOf, withAlternative, withField } from "./form-value.ts";
import { labelOf } from "./labels.ts";
import { ScalarField, ValuesField, type FieldProps } from "./scalar-field.tsx";

function FormField({ schema, ...field }: FieldProps) {
  switch (schema.kind) {
    case "object":
      return (
        <Fieldset legend={field.label} p="sm">
          <ObjectFields schema={schema} {...field} />
        </Fieldset>
      );
    case "record":
      return <RecordField schema={schema} {...field} />;
    case "list": {
      const { item } = schema;
      return item.kind === "object" || item.kind === "record" || item.kind === "list" ? (
        <ListField schema={schema} {...field} />
      ) : (
        <ValuesField schema={{ kind: "list", item }} {...field} />
      );
    }
    case "text":
    case "integer":
    case "flag":
    case "choice":
    case "expression":
      return <ScalarField schema={schema} {...field} />;
  }
}

type ObjectFieldsProps = Pick<
  FieldProps<ObjectSchema>,
  "schema" | "value" | "onChange" | "pointer" | "label"
>;

/** The fields of an object without a frame: one of its alternatives, and the others. */
export function ObjectFields({ schema, label, value, onChange, pointer }: ObjectFieldsProps) {
  const { error } = use(SurroundingsContext);
  const { alternatives, chosen, shown, offered, removable } = drawnFields(schema, value);
  const said = errorAt(error, pointer, (name) => shown.some(([one]) => one === name));
  return (
    <Stack gap="sm">
      {alternatives.length > 1 && (
        <NativeSelect
          label={`Kind of ${label.toLowerCase()}`}
          data={alternatives.map((name) => ({ value: name, label: labelOf(name) }))}
          value={chosen ?? ""}
          onChange={(event) => onChange(withAlternative(schema, value, event.currentTarget.value))}
          maw={320}
        />
      )}
      {shown.map(([name, field]) => (
        <Group key={name} gap="xs" align="flex-start" wrap="nowrap">
          <Box flex={1} miw={0}>
            <FormField
              schema={field.schema}
              label={labelOf(name)}
              value={fieldsOf(value)[name]}
              onChange={(changed) => onChange(withField(value, name, changed))}
              pointer={`${pointer}/${name}`}
              isRequired={field.isRequired}
            />
          </Box>
          {removable.includes(name) && (
            <Remove what={labelOf(name)} onRemove={() => onChange(withField(value, name, undefined))} />
          )}
        </Group>
      ))}
      {offered.length > 0 && (
        <Select
          aria-label={`Add to ${label.toLowerCase()}`}
          placeholder="Add a setting…"
          data={offered.map((name) => ({ value: name, label: labelOf(name) }))}
          value={null}
          searchable
          maw={320}
          onChange={(name) => {
            const field = name === null ? undefined : schema.fields[name];
            if (name !== null && field !== undefined)
              onChange(withField(value, name, initialOf(field.schema)));
          }}
        />
      )}
      <Said text={said} />
    </Stack>
  );
}

function Said({ text }: { readonly text: string | undefined }) {
  return (
    text !== undefined && (
      <Text size="sm" c="var(--mantine-color-error)">
        {text}
      </Text>
    )
  );
}

function Remove({ what, onRemove }: { readonly what: string; readonly onRemove: () => void }) {
  return <IconButton Icon={XMarkIcon} mt={26} label={`Remove ${what}`} onClick={onRemove} />;
}

/** Objects one after another. */
function ListField({
  schema: { item },
  label,
  value,
  onChange,
  pointer,
}: FieldProps<Extract<Schema, { readonly kind: "list" }>>) {
  const { error } = use(SurroundingsContext);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <Fieldset legend={label} p="sm">
      <Stack gap="sm">
        {items.map((one, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- items have no other identity
          <Group key={index} gap="xs" align="flex-start" wrap="nowrap">
            <Box flex={1} miw={0}>
              <FormField
                schema={item}
                label={`${label} ${index + 1}`}
                value={one}
                onChange={(changed) => onChange(items.with(index, changed))}
                pointer={`${pointer}/${index}`}
                isRequired
              />
            </Box>
            <Remove
              what={`${label} ${index + 1}`}
              onRemove={() => onChange(items.length === 1 ? undefined : items.toSpliced(index, 1))}
            />
          </Group>
        ))}
        <Add what={label} onAdd={() => onChange([...items, initialOf(item)])} />
        <Said text={errorAt(error, pointer, (name) => Number(name) < items.length)} />
      </Stack>
    </Fieldset>
  );
}

function Add({ what, onAdd }: { readonly what: string; readonly onAdd: () => void }) {
  return (
    <Group>
      <Button
        size="xs"
        variant="default"
        leftSection={<PlusIcon width={16} aria-hidden />}
        aria-label={`Add to ${what}`}
        onClick={onAdd}
      >
        Add
      </Button>
    </Group>
  );
}

/** Values by names that are typed, such as headers. */
function RecordField({
  schema: { item },
  label,
  value,
  onChange,
  pointer,
}: FieldProps<Extract<Schema, { readonly kind: "record" }>>) {
  const { error } = use(SurroundingsContext);
  const [added, setAdded] = useState("");
  const entries = Object.entries(fieldsOf(value));
  const name = added.trim();
  const add = (): void => {
    if (name === "" || name in fieldsOf(value)) return;
    onChange({ ...fieldsOf(value), [name]: initialOf(item) });
    setAdded("");
  };
  return (
    <Fieldset legend={label} p="sm">
      <Stack gap="sm">
        {entries.map(([key, one]) => (
          <Group key={key} gap="xs" align="flex-start" wrap="nowrap">
            <Box flex={1} miw={0}>
              <FormField
                schema={item}
                label={key}
                value={one}
                onChange={(changed) => onChange({ ...fieldsOf(value), [key]: changed })}
                pointer={`${pointer}/${escaped(key)}`}
                isRequired
              />
            </Box>
            <Remove what={key} onRemove={() => onChange(withField(value, key, undefined))} />
          </Group>
        ))}
        <Group gap="xs" align="flex-end">
          <TextInput
            label={`Name to add to ${label.toLowerCase()}`}
            value={added}
            spellCheck={false}
            onChange={(event) => setAdded(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              add();
            }}
          />
          <Button variant="default" leftSection={<PlusIcon width={16} aria-hidden />} onClick={add}>
            Add
          </Button>
        </Group>
        <Said text={errorAt(error, pointer, (key) => entries.some(([one]) => escaped(one) === key))} />
      </Stack>
    </Fieldset>
  );
}

/** Escapes a key for a JSON pointer (RFC 6901). */
function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
