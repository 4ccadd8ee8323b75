import { Text, Title } from "@mantine/core";

import { planOrder } from "../../../../src/core/expression/phases.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { ExplainedExpression } from "../../components/explained-expression.tsx";
import { Facts } from "../../components/facts.tsx";
import type { RequestOnPage } from "../../expression/explainer.ts";
import { requestUrl, type SecurityEvent } from "./event-queries.ts";
import { otherMetadata } from "./scoring-rules.ts";
import { sourceNames } from "./source-names.ts";

interface EventRuleProps {
  readonly zoneId: string;
  readonly event: SecurityEvent;
}

/**
 * The rule of an event, and which parts of its expression matched. Rules of the previous version are in no ruleset, and
 * have no expression that anybody could read.
 */
export function EventRule({ zoneId, event }: EventRuleProps) {
  const isPrevious = event.source === "waf";
  const zone = useApi(call("getZone", { zone_id: zoneId })).data?.result;
  const { data } = useApi(call("getRuleset", { zone_id: zoneId, ruleset_id: event.rulesetId }), {
    enabled: !isPrevious && event.rulesetId !== "",
  });
  const ruleset = data?.result.id === event.rulesetId ? data.result : undefined;
  const expression = ruleset?.rules.find(({ id }) => id === event.ruleId)?.expression;
  return (
    <div>
      <Title order={2} size="sm" mb="xs">
        Rule
      </Title>
      <Facts
        facts={{
          Description: event.ruleMessage || "–",
          Id: <span className="monospace">{event.ruleId}</span>,
          [isPrevious ? "Package" : "Ruleset"]: ruleset?.name ?? event.rulesetId,
          Source: sourceNames[event.source] ?? event.source,
          Action: event.action.replaceAll("_", " "),
          ...Object.fromEntries(otherMetadata(event).map(({ key, value }) => [factName(key), value])),
        }}
      />
      {expression !== undefined && zone !== undefined && (
        <>
          <Text size="sm" c="dimmed" mt="sm" mb={4}>
            Expression, with what matched marked where the event tells
          </Text>
          <ExplainedExpression
            of="the rule"
            source={expression}
            request={describedRequest(event, zone)}
            isMatched
          />
        </>
      )}
    </div>
  );
}

/** The request as far as an event has it: without its body and most headers. */
function describedRequest(event: SecurityEvent, zone: Zone): RequestOnPage {
  return {
    method: event.clientRequestHTTPMethodName,
    url: requestUrl(event),
    protocol: event.clientRequestHTTPProtocol,
    headers: event.userAgent === "" ? {} : { "User-Agent": event.userAgent },
    cookies: {},
    body: "",
    zone: { name: zone.name, plan: planOrder.find((plan) => plan === zone.plan.legacy_id) ?? "free" },
    address: event.clientIP,
    time: Math.floor(Date.parse(event.datetime) / 1000),
    known: event.clientCountryName === "" ? {} : { "ip.src.country": event.clientCountryName },
  };
}

/** `scored_by` as a name of a fact: "Scored by". */
function factName(key: string): string {
  const words = key.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
