import { Card, Text, Title } from "@mantine/core";
import { useState } from "react";

import { Timestamp } from "../../components/timestamp.tsx";
import classes from "./certificate-timeline.module.css";
import { axisOf, place, urgencyOf, type TimelineEntry } from "./timeline.ts";

const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** The validity of each certificate, on one axis with today. */
export function CertificateTimeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  const [now] = useState(() => Date.now());
  if (entries.length === 0) return undefined;
  const axis = axisOf(entries, now);
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="timeline">
      <Title order={2} mb="md" id="timeline">
        Expiry
      </Title>
      <ul className={classes.rows}>
        {entries.map((entry) => {
          const start = place(entry.from, axis);
          return (
            <li key={entry.id} className={classes.row}>
              <div className={classes.label}>
                <Text size="sm" fw={500} truncate title={entry.hosts.join(", ")}>
                  {entry.hosts.join(", ")}
                </Text>
                <Text size="xs" c="dimmed">
                  {entry.kind}
                </Text>
              </div>
              <div className={classes.track} aria-hidden>
                <div
                  className={classes.bar}
                  data-urgency={urgencyOf(entry, now)}
                  style={{ left: `${start}%`, width: `${place(entry.until, axis) - start}%` }}
                />
                <div className={classes.today} style={{ left: `${place(now, axis)}%` }} />
              </div>
              <Text size="sm" className={classes.expiry ?? ""}>
                <span>{entry.until <= now ? "Expired " : "Expires "}</span>
                <Timestamp at={new Date(entry.until).toISOString()} />
              </Text>
            </li>
          );
        })}
      </ul>
      <div className={classes.axis} aria-hidden>
        <Text size="xs" c="dimmed">
          {date.format(axis.from)}
        </Text>
        <Text size="xs" c="dimmed">
          The line is today
        </Text>
        <Text size="xs" c="dimmed">
          {date.format(axis.until)}
        </Text>
      </div>
    </Card>
  );
}
