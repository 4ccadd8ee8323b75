import { Anchor, Card, Group, SimpleGrid, Text, Title } from "@mantine/core";

import { countryName } from "./event-words.tsx";
import { useGraphql } from "./event-queries.ts";
import { topSecurityEvents, type EventFilter, type Ranked, type RankedGroup } from "./event-queries.ts";
import type { EventsSearch } from "./search.ts";

interface EventTopsProps {
  readonly zoneId: string;
  readonly filter: EventFilter;
  readonly onSearch: (change: EventsSearch) => void;
}

const rankings: readonly {
  readonly by: Ranked;
  readonly title: string;
  readonly filtered: (value: string) => EventsSearch;
}[] = [
  { by: "ruleId", title: "Top rules", filtered: (rule) => ({ rule }) },
  { by: "clientIP", title: "Top addresses", filtered: (ip) => ({ ip }) },
  { by: "clientRequestPath", title: "Top paths", filtered: (path) => ({ path }) },
  { by: "clientCountryName", title: "Top countries", filtered: (country) => ({ country }) },
];

/** The most common values of all events that meet the filter; each of them filters the events further. */
export function EventTops({ zoneId, filter, onSearch }: EventTopsProps) {
  const top = useGraphql(topSecurityEvents(zoneId, filter)).data?.viewer.zones[0];
  if (top === undefined || top.ruleId.length === 0) return undefined;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="md">
      {rankings.map(({ by, title, filtered }) => (
        <Card key={by} withBorder padding="md" component="section" aria-label={title}>
          <Title order={2} size="sm" mb="xs">
            {title}
          </Title>
          {top[by].map((group) => {
            const value = group.dimensions[by] ?? "";
            return (
              <Group key={value} justify="space-between" gap="sm" wrap="nowrap" py={2}>
                {value === "" ? (
                  <Text size="sm" c="dimmed">
                    unknown
                  </Text>
                ) : (
                  <Anchor
                    component="button"
                    type="button"
                    size="sm"
                    ta="start"
                    truncate
                    onClick={() => onSearch(filtered(value))}
                  >
                    {nameOf(group, value)}
                  </Anchor>
                )}
                <Text size="sm">{group.count.toLocaleString()}</Text>
              </Group>
            );
          })}
        </Card>
      ))}
    </SimpleGrid>
  );
}

function nameOf({ dimensions: { ruleMessage = "", clientCountryName } }: RankedGroup, value: string): string {
  if (clientCountryName !== undefined) return countryName(clientCountryName);
  return ruleMessage === "" ? value : ruleMessage;
}
