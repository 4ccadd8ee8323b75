import { Text } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { useState } from "react";

const tickMs = 1_000;
const pad = (part: number): string => String(part).padStart(2, "0");

/** How long development mode goes on, counted down from what the server last said. */
export function DevelopmentModeEnd({ seconds }: { readonly seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useInterval(() => setLeft((before) => before - 1), tickMs, { autoInvoke: true });
  const shown = Math.max(0, left);
  return (
    <Text size="xs" c="dimmed" role="timer">
      Ends by itself in {Math.floor(shown / 3_600)}:{pad(Math.floor((shown % 3_600) / 60))}:{pad(shown % 60)}
    </Text>
  );
}
