import { Text } from "@mantine/core";

import { Bars } from "../../components/bars.tsx";
import { counted } from "../../components/counted.ts";

/** Calls of each of the last minutes; `perMinute` has the oldest first, the last one is running. */
export function CallRate({ perMinute }: { readonly perMinute: readonly number[] }) {
  const sum = perMinute.reduce((total, count) => total + count, 0);
  if (sum === 0)
    return (
      <Text size="sm" c="dimmed">
        No calls in the last {perMinute.length} minutes.
      </Text>
    );
  const summary = `${counted(sum, "call")} in the last ${perMinute.length} minutes, at most ${Math.max(...perMinute)} in one`;
  return <Bars values={perMinute} summary={summary} />;
}
