import { Badge } from "@mantine/core";

import { wordsOf } from "./setting-words.ts";

const colors: Readonly<Record<string, string>> = {
  active: "green",
  accepted: "green",
  notified: "green",
  enabled: "green",
  running: "green",
  pending: "yellow",
  initializing: "yellow",
  disabled: "gray",
  paused: "gray",
  expired: "red",
  rejected: "red",
  silent: "red",
  moved: "orange",
};

/** A status of the API, in words, in the colour of what it means. */
export function StatusBadge({ status }: { readonly status: string }) {
  return (
    <Badge
      variant="light"
      color={colors[status] ?? (status.startsWith("pending") ? "yellow" : "gray")}
      tt="none"
      fw={600}
    >
      {wordsOf(status)}
    </Badge>
  );
}
