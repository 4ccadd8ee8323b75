import { ChevronDownIcon, ChevronUpIcon } from "@heroicons/react/24/outline";
import { Text } from "@mantine/core";
import { useState } from "react";

import { EmptyList, type Column } from "../../components/data-table.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { AnchorLink } from "../../components/links.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { dateAndTime, Timestamp } from "../../components/timestamp.tsx";
import { EventDetail } from "./event-detail.tsx";
import { requestLine, testOf, type SecurityEvent } from "./event-queries.ts";
import { OutcomeBadge, sourceNames } from "./event-words.tsx";
import type { EventsSearch } from "./search.ts";

interface EventLogProps {
  readonly zoneId: string;
  readonly events: readonly SecurityEvent[];
  readonly onSearch: (change: EventsSearch) => void;
}

const idOf = ({ rayName, matchIndex }: SecurityEvent): string => `${rayName} ${matchIndex}`;

/** Events, the newest first, each with its detail. */
export function EventLog({ zoneId, events, onSearch }: EventLogProps) {
  const [openedId, setOpenedId] = useState<string>();
  return (
    <PagedTable
      label="Security events"
      rows={events}
      rowId={idOf}
      columns={eventColumns(openedId, setOpenedId)}
      renderDetail={(event) =>
        idOf(event) === openedId && <EventDetail zoneId={zoneId} event={event} onSearch={onSearch} />
      }
      empty={
        <EmptyList title="No events">
          Events come from requests that rules act on: those of visitors at an edge, of the request tracer,
          and{" "}
          <AnchorLink
            underline="always"
            inherit
            to="/zones/$zoneId/security/events/replay"
            params={{ zoneId }}
          >
            replayed requests
          </AnchorLink>
          .
        </EmptyList>
      }
    />
  );
}

function eventColumns(
  openedId: string | undefined,
  onOpen: (id: string | undefined) => void,
): readonly Column<SecurityEvent>[] {
  return [
    {
      key: "datetime",
      header: "Time",
      width: "9.5rem",
      cell: (event) => {
        const test = testOf(event);
        return (
          <>
            <Timestamp at={event.datetime} />
            {test !== undefined && (
              <Text size="xs" c="dimmed">
                {test.name}
                {test.recordedOn !== undefined && `, recorded ${dateAndTime(test.recordedOn)}`}
              </Text>
            )}
          </>
        );
      },
    },
    {
      key: "action",
      header: "Action",
      width: "11.5rem",
      cell: ({ action }) => <OutcomeBadge action={action} />,
    },
    {
      key: "request",
      header: "Request",
      cell: (event) => (
        <Text size="sm" className="monospace" lineClamp={2}>
          {requestLine(event)}
        </Text>
      ),
    },
    {
      key: "rule",
      header: "Rule",
      width: "28%",
      cell: ({ ruleMessage, ruleId, source }) => (
        <>
          <Text size="sm">{ruleMessage || ruleId}</Text>
          <Text size="xs" c="dimmed">
            {sourceNames[source] ?? source}
          </Text>
        </>
      ),
    },
    {
      key: "actions",
      header: "Detail",
      width: "3.5rem",
      isActions: true,
      cell: (event) => {
        const isOpened = idOf(event) === openedId;
        const Icon = isOpened ? ChevronUpIcon : ChevronDownIcon;
        return (
          <IconButton
            Icon={Icon}
            aria-expanded={isOpened}
            label={`Details of the event at ${event.datetime}: ${event.ruleMessage || event.ruleId}`}
            onClick={() => onOpen(isOpened ? undefined : idOf(event))}
          />
        );
      },
    },
  ];
}
