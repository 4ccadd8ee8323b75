import { Anchor, Button, Group, SimpleGrid, Stack, Title } from "@mantine/core";

import { Facts } from "../../components/facts.tsx";
import { ButtonLink } from "../../components/links.tsx";
import { requestUrl, type SecurityEvent } from "./event-queries.ts";
import { EventRule } from "./event-rule.tsx";
import { ExceptionLink } from "./exception-link.tsx";
import { ScoringRuleTable } from "./scoring-rule-table.tsx";
import type { EventsSearch } from "./search.ts";

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
