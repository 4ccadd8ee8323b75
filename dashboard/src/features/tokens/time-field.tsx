import { TextInput } from "@mantine/core";

interface TimeFieldProps {
  readonly label: string;
  /** ISO 8601, UTC; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A point in time, entered in the browser's zone. */
export function TimeField({ label, value, onChange }: TimeFieldProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={localTime(value)}
      onChange={(event) => onChange(utcTime(event.currentTarget.value))}
    />
  );
}

function localTime(utc: string): string {
  if (utc === "") return "";
  const at = new Date(utc);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function utcTime(local: string): string {
  return local === "" ? "" : new Date(local).toISOString().replace(/\.\d+Z$/, "Z");
}
