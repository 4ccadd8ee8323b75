import { Text } from "@mantine/core";

import classes from "./call-rate.module.css";

const height = 100;

/** Calls of each of the last minutes as bars; `perMinute` has the oldest first, the last one is running. */
export function CallRate({ perMinute }: { readonly perMinute: readonly number[] }) {
  const highest = Math.max(...perMinute);
  const sum = perMinute.reduce((total, count) => total + count, 0);
  const summary = `${sum} ${sum === 1 ? "call" : "calls"} in the last ${perMinute.length} minutes, at most ${highest} in one`;
  return (
    <div>
      <svg
        className={classes.chart ?? ""}
        viewBox={`0 0 ${perMinute.length} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
      >
        <line
          className={classes.axis ?? ""}
          x1={0}
          x2={perMinute.length}
          y1={height}
          y2={height}
          vectorEffect="non-scaling-stroke"
        />
        {perMinute.map((count, minute) => {
          const bar = highest === 0 ? 0 : (count / highest) * height;
          // oxlint-disable-next-line react/no-array-index-key -- a minute is its place
          return <rect key={minute} x={minute + 0.1} width={0.8} y={height - bar} height={bar} />;
        })}
      </svg>
      <Text size="xs" c="dimmed" mt={4}>
        {summary}
      </Text>
    </div>
  );
}
