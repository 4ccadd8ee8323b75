import { Badge } from "@mantine/core";

import { outcomeOf, type Outcome } from "../../components/event-buckets.ts";

const colors: Readonly<Record<Outcome, string>> = {
  block: "red",
  challenge: "orange",
  log: "harbor",
  other: "gray",
};

/** An action as the API writes it, in the colour of what becomes of the request. */
export function OutcomeBadge({ action }: { readonly action: string }) {
  return (
    <Badge variant="light" color={colors[outcomeOf(action)]} tt="none" fw={600}>
      {action.replaceAll("_", " ")}
    </Badge>
  );
}
