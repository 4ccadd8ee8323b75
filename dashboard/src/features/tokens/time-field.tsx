import { TextInput } from "@mantine/core";
import { useState } from "react";

interface TimeFieldProps {
  readonly label: string;
  /** ISO 8601, UTC; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A point in time, entered in the browser's zone. */
export function TimeField({ label, value, onChange }: TimeFieldProps) {
  const [text, setText] = useState(() => localTime(value));
  return (
    <TextInput
      type="datetime-local"
      label={label}
      max="9999-12-31T23:59"
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange(utcTime(event.currentTarget.value));
      }}
    />
  );
}

function localTime(utc: string): string {
  if (utc === "") return "";
  const at = new Date(utc);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Empty for what is no time yet, such as a year of five digits. */
function utcTime(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString().replace(/\.\d+Z$/, "Z");
}
