import { Anchor, Button, Group, SimpleGrid, Stack, Title, Text, Table, VisuallyHidden } from "@mantine/core";

import { Facts } from "../../components/facts.tsx";
import { ButtonLink } from "../../components/links.tsx";
import { requestUrl, type SecurityEvent } from "./event-queries.ts";
import { ExceptionLink } from "./exception-link.tsx";
import type { EventsSearch } from "./search.ts";
import { planOrder } from "../../../../src/core/expression/phases.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { ExplainedExpression } from "../../components/explained-expression.tsx";
import type { RequestOnPage } from "../../expression/explainer.ts";
import { otherMetadata, scoringRulesOf } from "./scoring-rules.ts";
import { sourceNames } from "./event-words.tsx";

interface EventDetailProps {
  readonly zoneId: string;
  readonly event: SecurityEvent;
  readonly onSearch: (change: EventsSearch) => void;
}

/** One event: the request, the rule with its expression, and the way to the events that have it in common. */
export function EventDetail({ zoneId, event, onSearch }: EventDetailProps) {
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <div>
          <Title order={2} size="sm" mb="xs">
            Request
          </Title>
          <Facts
            facts={{
              Method: `${event.clientRequestHTTPMethodName} (${event.clientRequestHTTPProtocol})`,
              Host: event.clientRequestHTTPHost,
              Path: event.clientRequestPath,
              Query: event.clientRequestQuery || "–",
              "Client address": (
                <Anchor
                  component="button"
                  type="button"
                  inherit
                  onClick={() => onSearch({ ip: event.clientIP })}
                >
                  {event.clientIP}
                </Anchor>
              ),
              Country: event.clientCountryName || "–",
              "User agent": event.userAgent || "–",
              Request: event.rayName,
              ...(event.sampleInterval > 1 && {
                Sample: `stands for ${event.sampleInterval} requests of that second`,
              }),
            }}
          />
        </div>
        <EventRule zoneId={zoneId} event={event} />
      </SimpleGrid>
      <ScoringRuleTable zoneId={zoneId} event={event} />
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => onSearch({ ray: event.rayName })}>
          All events of this request
        </Button>
        <Button size="xs" variant="default" onClick={() => onSearch({ rule: event.ruleId })}>
          All events of this rule
        </Button>
        <ButtonLink
          size="xs"
          variant="default"
          to="/zones/$zoneId/trace"
          params={{ zoneId }}
          search={{
            method: event.clientRequestHTTPMethodName,
            url: requestUrl(event),
            protocol: event.clientRequestHTTPProtocol,
            ...(event.userAgent !== "" && { agent: event.userAgent }),
            ...(event.clientCountryName !== "" && { country: event.clientCountryName }),
          }}
        >
          Trace this request
        </ButtonLink>
        <ExceptionLink zoneId={zoneId} event={event} />
      </Group>
    </Stack>
  );
}

interface EventRuleProps {
  readonly zoneId: string;
  readonly event: SecurityEvent;
}

/**
 * The rule of an event, and which parts of its expression matched. Rules of the previous version are in no ruleset, and
 * have no expression that anybody could read.
 */
function EventRule({ zoneId, event }: EventRuleProps) {
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

interface ScoringRuleTableProps {
  readonly zoneId: string;
  readonly event: SecurityEvent;
}

/** The matches of each rule of the Core Rule Set, with a link to an exception for it; nothing for other events. */
function ScoringRuleTable({ zoneId, event }: ScoringRuleTableProps) {
  const rules = scoringRulesOf(event);
  if (rules.length === 0) return undefined;
  return (
    <div>
      <Title order={2} size="sm" mb="xs">
        What added to the score
      </Title>
      <Table.ScrollContainer minWidth={560}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Rule</Table.Th>
              <Table.Th>Score</Table.Th>
              <Table.Th>Matched</Table.Th>
              <Table.Th>
                <VisuallyHidden>Exception</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rules.map(({ ruleId, description, score, variable, value }) => (
              <Table.Tr key={ruleId}>
                <Table.Td>{description}</Table.Td>
                <Table.Td>{score}</Table.Td>
                <Table.Td className="monospace">
                  {variable}: {value}
                </Table.Td>
                <Table.Td>
                  <ExceptionLink
                    zoneId={zoneId}
                    event={{ ...event, ruleId, ruleMessage: description }}
                    label={`Make an exception for ${description.split(":", 1)[0]}`}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}
