import { Text, Badge } from "@mantine/core";

import { outcomeOf, type Outcome } from "../../components/event-buckets.ts";
import { wordsOf } from "../../components/setting-words.ts";

export interface ActingRule {
  /** The API's name of the action. */
  readonly action: string;
  readonly name: string;
  readonly score?: number | undefined;
}

/**
 * The action of a version of the managed rules on a request, and its rule; undefined where it let the request pass.
 */
export function Acted({ rule }: { readonly rule: ActingRule | undefined }) {
  if (rule === undefined)
    return (
      <Text size="sm" c="dimmed">
        Passed
      </Text>
    );
  return (
    <>
      <OutcomeBadge action={rule.action} />
      <Text size="xs" c="dimmed" mt={2}>
        {rule.name}
        {rule.score !== undefined && `, score ${rule.score}`}
      </Text>
    </>
  );
}

const names = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** "Brazil" for `BR`; what is no code of a country, such as `T1` for Tor, as it is. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code;
}

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

/** The sources of events that there are here, as people know them. */
export const sourceNames: Readonly<Record<string, string>> = {
  firewallManaged: "Managed rules",
  dlp: "Managed rules of answers",
  waf: "Previous managed rules",
  firewallCustom: "Custom rules",
  firewallrules: "Firewall rules",
};
