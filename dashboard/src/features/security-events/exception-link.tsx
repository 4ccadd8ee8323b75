import type { SecurityEvent } from "../../api/security-events.ts";
import { ButtonLink } from "../../components/links.tsx";
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
      <ButtonLink
        size="xs"
        variant="default"
        to="/zones/$zoneId/security/waf/managed-rules/new"
        params={{ zoneId }}
        search={{ ...proposed, rules: { [event.rulesetId]: [event.ruleId] } }}
      >
        {label}
      </ButtonLink>
    );
  if (event.source === "firewallCustom")
    return (
      <ButtonLink
        size="xs"
        variant="default"
        to="/zones/$zoneId/rules/$ruleset/new"
        params={{ zoneId, ruleset: "http_request_firewall_custom" }}
        search={proposed}
      >
        {label}
      </ButtonLink>
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
