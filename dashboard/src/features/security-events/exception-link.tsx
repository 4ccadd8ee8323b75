import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";

import type { SecurityEvent } from "../../api/security-events.ts";
import { printConditions, type Condition } from "../../expression/conditions.ts";

interface ExceptionLinkProps {
  readonly zoneId: string;
  readonly event: SecurityEvent;
  readonly label?: string;
}

/** Proposes an exception for requests like that of an event; nothing for a product that has none. */
export function ExceptionLink({ zoneId, event, label = "Make an exception" }: ExceptionLinkProps) {
  const proposed = {
    action: "skip",
    expression: likeRequestOf(event),
    description: `Exception: ${event.ruleMessage || event.ruleId}`,
  } as const;
  if (event.source === "firewallManaged")
    return (
      <Button
        size="xs"
        variant="default"
        renderRoot={(root) => (
          <Link
            {...root}
            to="/zones/$zoneId/security/waf/managed-rules/new"
            params={{ zoneId }}
            search={{ ...proposed, rules: { [event.rulesetId]: [event.ruleId] } }}
          />
        )}
      >
        {label}
      </Button>
    );
  if (event.source === "firewallCustom")
    return (
      <Button
        size="xs"
        variant="default"
        renderRoot={(root) => (
          <Link
            {...root}
            to="/zones/$zoneId/rules/$ruleset/new"
            params={{ zoneId, ruleset: "http_request_firewall_custom" }}
            search={proposed}
          />
        )}
      >
        {label}
      </Button>
    );
  return undefined;
}

/** Requests for the same host and path. */
function likeRequestOf({ clientRequestHTTPHost: host, clientRequestPath: path }: SecurityEvent): string {
  const equals = (field: string, value: string): Condition => ({
    field,
    type: "Bytes",
    operator: "eq",
    isNegated: false,
    values: [value],
  });
  return printConditions([[equals("http.host", host), equals("http.request.uri.path", path)]]);
}
