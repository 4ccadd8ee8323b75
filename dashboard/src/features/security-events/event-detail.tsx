import { Anchor, Button, Code, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";

import { useApi } from "../../api/query.ts";
import { rulesetOf } from "../../api/rulesets.ts";
import type { SecurityEvent } from "../../api/security-events.ts";
import { zonePath } from "../../api/zones.ts";
import { Facts } from "../../components/facts.tsx";
import type { EventsSearch } from "./search.ts";
import { sourceNames } from "./source-names.ts";

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
            }}
          />
        </div>
        <Rule zoneId={zoneId} event={event} />
      </SimpleGrid>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => onSearch({ ray: event.rayName })}>
          All events of this request
        </Button>
        <Button size="xs" variant="default" onClick={() => onSearch({ rule: event.ruleId })}>
          All events of this rule
        </Button>
      </Group>
    </Stack>
  );
}

/** Rules of the previous version are in no ruleset, and have no expression that anybody could read. */
function Rule({ zoneId, event }: Pick<EventDetailProps, "zoneId" | "event">) {
  const isPrevious = event.source === "waf";
  const { data } = useApi(rulesetOf(zonePath(zoneId), event.rulesetId), { enabled: !isPrevious });
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
          ...Object.fromEntries(event.metadata.map(({ key, value }) => [factName(key), value])),
        }}
      />
      {expression !== undefined && (
        <>
          <Text size="sm" c="dimmed" mt="sm" mb={4}>
            Expression
          </Text>
          <Code block tabIndex={0} role="region" aria-label="Expression of the rule" mah={200}>
            {expression}
          </Code>
        </>
      )}
    </div>
  );
}

/** `scored_by` as a name of a fact: "Scored by". */
function factName(key: string): string {
  const words = key.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
