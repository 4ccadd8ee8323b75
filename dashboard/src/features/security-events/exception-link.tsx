import { ButtonLink } from "../../components/links.tsx";
import { printConditions, type Condition } from "../../expression/conditions.ts";
import { NewExceptionLink } from "../managed-rules/new-exception-link.tsx";
import type { SecurityEvent } from "./event-queries.ts";

interface ExceptionLinkProps {
  readonly zoneId: string;
  readonly event: SecurityEvent;
  readonly label?: string;
}

/** Proposes an exception for requests like that of an event; nothing for a product that has none. */
export function ExceptionLink({ zoneId, event, label = "Make an exception" }: ExceptionLinkProps) {
  const expression = likeRequestOf(event);
  const description = `Exception: ${event.ruleMessage || event.ruleId}`;
  if (event.source === "firewallManaged") {
    const rules = { [event.rulesetId]: [event.ruleId] };
    return (
      <NewExceptionLink zoneId={zoneId} proposed={{ expression, description, rules }}>
        {label}
      </NewExceptionLink>
    );
  }
  if (event.source === "firewallCustom")
    return (
      <ButtonLink
        size="xs"
        variant="default"
        to="/zones/$zoneId/rules/$ruleset/new"
        params={{ zoneId, ruleset: "http_request_firewall_custom" }}
        search={{ action: "skip", expression, description }}
      >
        {label}
      </ButtonLink>
    );
  return undefined;
}

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
