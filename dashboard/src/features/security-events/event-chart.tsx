import { Group, Text } from "@mantine/core";

import { outcomes, type Bucket, type Outcome } from "./event-buckets.ts";
import classes from "./event-chart.module.css";

const names: Readonly<Record<Outcome, string>> = {
  block: "Blocked",
  challenge: "Challenged",
  log: "Logged",
  other: "Other",
};

const height = 100;
const gap = 0.2;
const time = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** Events over time, one bar for each stretch, by what became of the requests. */
export function EventChart({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const highest = Math.max(1, ...buckets.map(sumOf));
  const totals = outcomes
    .map((outcome) => ({
      outcome,
      total: buckets.reduce((sum, { counts }) => sum + counts[outcome], 0),
    }))
    .filter(({ total }) => total > 0);
  const summary = totals.map(({ outcome, total }) => `${names[outcome]}: ${total}`).join(", ");
  return (
    <figure style={{ margin: 0 }}>
      <svg
        className={classes.chart ?? ""}
        viewBox={`0 0 ${buckets.length} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Events over time. ${summary || "None"}`}
      >
        {buckets.map((bucket, index) => (
          <Bar key={bucket.start} bucket={bucket} at={index} scale={height / highest} />
        ))}
        <line
          className={classes.axis ?? ""}
          x1={0}
          x2={buckets.length}
          y1={height}
          y2={height}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <Group justify="space-between" gap="xs" mt={4}>
        <Text size="xs" c="dimmed">
          {timeOf(buckets.at(0)?.start)}
        </Text>
        <Group gap="md">
          {totals.map(({ outcome, total }) => (
            <Group key={outcome} gap={6}>
              <svg className={classes.swatch ?? ""} aria-hidden viewBox="0 0 1 1">
                <rect width={1} height={1} className={classes[outcome] ?? ""} />
              </svg>
              <Text size="xs">
                {names[outcome]} {total}
              </Text>
            </Group>
          ))}
        </Group>
        <Text size="xs" c="dimmed">
          {timeOf(buckets.at(-1)?.end)}
        </Text>
      </Group>
    </figure>
  );
}

interface BarProps {
  readonly bucket: Bucket;
  readonly at: number;
  /** Units of height for one event. */
  readonly scale: number;
}

function Bar({ bucket, at, scale }: BarProps) {
  const title = `${timeOf(bucket.start)} – ${timeOf(bucket.end)}: ${sumOf(bucket)}`;
  return (
    <g>
      <title>{title}</title>
      {/* So that the whole height tells what a bar says. */}
      <rect x={at} y={0} width={1} height={height} fill="transparent" />
      {outcomes.map((outcome, index) => {
        const below = outcomes.slice(0, index).reduce((sum, one) => sum + bucket.counts[one], 0);
        const count = bucket.counts[outcome];
        return (
          count > 0 && (
            <rect
              key={outcome}
              className={classes[outcome] ?? ""}
              x={at + gap / 2}
              width={1 - gap}
              y={height - (below + count) * scale}
              height={count * scale}
            />
          )
        );
      })}
    </g>
  );
}

function sumOf({ counts }: Bucket): number {
  return outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
}

function timeOf(milliseconds: number | undefined): string {
  return milliseconds === undefined ? "" : time.format(new Date(milliseconds));
}
