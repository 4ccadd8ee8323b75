import { Group, NativeSelect, Text } from "@mantine/core";
import { useState, type PointerEvent } from "react";

import { outcomes, type Bucket, type Outcome } from "../../components/event-buckets.ts";
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

/** Short enough for a tick of the axis. */
const tick = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});

/** A part of the time, in Unix milliseconds. */
interface ChartPart {
  readonly start: number;
  readonly end: number;
}

interface EventChartProps {
  readonly buckets: readonly Bucket[];
  readonly chosen: ChartPart | undefined;
  /** A part was chosen by a click, by dragging or by keys; undefined for all of it again. */
  readonly onChoose: (part: ChartPart | undefined) => void;
}

/** Events over time, one bar for each stretch, by what became of the requests. */
export function EventChart({ buckets, chosen, onChoose }: EventChartProps) {
  const [anchor, setAnchor] = useState<number>();
  const [over, setOver] = useState<number>();
  const bounds =
    anchor === undefined || over === undefined
      ? placesOf(buckets, chosen)
      : { first: Math.min(anchor, over), last: Math.max(anchor, over) };
  const choose = (first: number, last: number): void => {
    const start = buckets[first]?.start;
    const end = buckets[last]?.end;
    if (start !== undefined && end !== undefined) onChoose({ start, end });
  };
  const placeAt = (event: PointerEvent<SVGSVGElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - left) / width) * buckets.length);
    return Math.max(0, Math.min(buckets.length - 1, place));
  };
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
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setAnchor(placeAt(event));
          setOver(placeAt(event));
        }}
        onPointerMove={(event) => anchor !== undefined && setOver(placeAt(event))}
        onPointerUp={(event) => {
          if (anchor !== undefined)
            choose(Math.min(anchor, placeAt(event)), Math.max(anchor, placeAt(event)));
          setAnchor(undefined);
        }}
        onPointerCancel={() => setAnchor(undefined)}
      >
        {bounds !== undefined && (
          <rect
            className={classes.chosen ?? ""}
            x={bounds.first}
            width={bounds.last - bounds.first + 1}
            y={0}
            height={height}
          />
        )}
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
      <Group justify="space-between" gap="xs" mt={4} wrap="nowrap" aria-hidden>
        {axisOf(buckets).map((at) => (
          <Text key={at} size="xs" c="dimmed">
            {tick.format(new Date(at))}
          </Text>
        ))}
      </Group>
      <Group justify="space-between" gap="xs" mt={4}>
        <NativeSelect
          size="xs"
          aria-label="Show the events of"
          data={[
            { value: "", label: "All of this time" },
            ...buckets
              .map((bucket, index) => ({ bucket, index }))
              .filter(({ bucket }) => sumOf(bucket) > 0)
              .map(({ bucket, index }) => ({
                value: String(index),
                label: `${timeOf(bucket.start)}: ${sumOf(bucket)}`,
              })),
          ]}
          value={bounds !== undefined && bounds.first === bounds.last ? String(bounds.first) : ""}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (value === "") onChoose(undefined);
            else choose(Number(value), Number(value));
          }}
        />
        {totals.length > 0 && (
          <Text size="xs" c="dimmed">
            Highest bar: {highest}
          </Text>
        )}
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
      </Group>
    </figure>
  );
}

/** The places of the bars within a part; undefined where it holds none. */
function placesOf(buckets: readonly Bucket[], part: ChartPart | undefined) {
  if (part === undefined) return undefined;
  const first = buckets.findIndex(({ start }) => start >= part.start);
  const last = buckets.findLastIndex(({ end }) => end <= part.end);
  return first === -1 || last < first ? undefined : { first, last };
}

const ticks = 4;

/** Times along the axis, as far apart as each other. */
function axisOf(buckets: readonly Bucket[]): number[] {
  const start = buckets.at(0)?.start ?? 0;
  const end = buckets.at(-1)?.end ?? start;
  return Array.from({ length: ticks }, (_, index) => start + ((end - start) * index) / (ticks - 1));
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
