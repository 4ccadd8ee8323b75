import { Text } from "@mantine/core";

import classes from "./bars.module.css";

const height = 100;

interface BarsProps {
  /** The oldest first. */
  readonly values: readonly number[];
  /** Their meaning, for screen readers. */
  readonly summary: string;
}

/** Small bars: the number of events in each of the last stretches of time. */
export function Bars({ values, summary }: BarsProps) {
  const highest = Math.max(...values);
  return (
    <div>
      <svg
        className={classes.chart ?? ""}
        viewBox={`0 0 ${values.length} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
      >
        <line
          className={classes.axis ?? ""}
          x1={0}
          x2={values.length}
          y1={height}
          y2={height}
          vectorEffect="non-scaling-stroke"
        />
        {values.map((value, place) => {
          const bar = highest === 0 ? 0 : (value / highest) * height;
          // oxlint-disable-next-line react/no-array-index-key -- a stretch of time is its place
          return <rect key={place} x={place + 0.1} width={0.8} y={height - bar} height={bar} />;
        })}
      </svg>
      <Text size="xs" c="dimmed" mt={4}>
        {summary}
      </Text>
    </div>
  );
}
