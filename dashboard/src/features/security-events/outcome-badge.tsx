import { Badge } from "@mantine/core";

import { outcomeOf, type Outcome } from "../../components/event-buckets.ts";
import { wordsOf } from "../../components/setting-words.ts";

const colors: Readonly<Record<Outcome, string>> = {
  block: "red",
  challenge: "orange",
  log: "harbor",
  other: "gray",
};

/** An action in words, in the colour of what becomes of the request. */
export function OutcomeBadge({ action }: { readonly action: string }) {
  return (
    <Badge variant="light" color={colors[outcomeOf(action)]} tt="none" fw={600}>
      {wordsOf(action)}
    </Badge>
  );
}
