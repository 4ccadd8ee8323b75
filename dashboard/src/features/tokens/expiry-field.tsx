import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";

import { TimeField } from "./time-field.tsx";

interface ExpiryFieldProps {
  /** ISO 8601, UTC; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const dayMs = 86_400_000;
const presets = [
  ["7 days", 7],
  ["30 days", 30],
  ["90 days", 90],
  ["1 year", 365],
] as const;

/** When a token expires: a time, or so many days from now. */
export function ExpiryField({ value, onChange }: ExpiryFieldProps) {
  // The field of the time keeps what is typed; a preset begins it anew.
  const [chosen, setChosen] = useState(0);
  const choose = (time: string): void => {
    onChange(time);
    setChosen((count) => count + 1);
  };
  return (
    <Stack gap="xs">
      <TimeField key={chosen} label="Expires" value={value} onChange={onChange} />
      <Group gap={4}>
        {presets.map(([label, days]) => (
          <Button
            key={label}
            size="compact-xs"
            variant="default"
            aria-label={`In ${label}`}
            onClick={() =>
              choose(new Date(Date.now() + days * dayMs).toISOString().replace(/:\d\d\.\d+Z$/, ":00Z"))
            }
          >
            In {label}
          </Button>
        ))}
        {value !== "" && (
          <Button size="compact-xs" variant="default" onClick={() => choose("")}>
            Never
          </Button>
        )}
      </Group>
    </Stack>
  );
}
