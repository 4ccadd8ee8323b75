import { Tooltip } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { useState } from "react";

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

const steps = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** `Oct 10, 2025, 8:55 PM`, as the browser writes it. */
export function dateAndTime(at: string): string {
  return absolute.format(new Date(at));
}

/** "in 3 days", "2 hours ago"; `seconds` from now, negative for the past. */
function relativeTime(seconds: number): string {
  const step = steps.find(([, length]) => Math.abs(seconds) >= length);
  if (step === undefined) return seconds <= 0 ? "just now" : "in less than a minute";
  const [unit, length] = step;
  return relative.format(Math.round(seconds / length), unit);
}

const refreshMs = 30_000;

interface TimestampProps {
  readonly at: string | null | undefined;
  /** Shown where there is no time; a dash unless a word says more. */
  readonly never?: string;
}

/** The distance of a time from now, with the time itself on hover. */
export function Timestamp({ at, never = "–" }: TimestampProps) {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), refreshMs, { autoInvoke: true });
  if (at === null || at === undefined) return <>{never}</>;
  const date = new Date(at);
  return (
    <Tooltip label={dateAndTime(at)}>
      <time dateTime={at}>{relativeTime((date.getTime() - now) / 1000)}</time>
    </Tooltip>
  );
}
