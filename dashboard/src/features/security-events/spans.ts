const hour = 60 * 60 * 1000;

/** The time for which events are shown, and the stretches in which they are counted. */
export const spans = [
  { value: "hour", label: "Last hour", milliseconds: hour, period: "datetimeMinute" },
  { value: "day", label: "Last 24 hours", milliseconds: 24 * hour, period: "datetimeHour" },
  { value: "week", label: "Last 7 days", milliseconds: 7 * 24 * hour, period: "datetimeHour" },
  { value: "month", label: "Last 30 days", milliseconds: 30 * 24 * hour, period: "date" },
] as const;

export type Span = (typeof spans)[number]["value"];

/** The last day, unless another one is chosen. */
export function spanOf(chosen: Span | undefined): (typeof spans)[number] {
  return spans.find(({ value }) => value === chosen) ?? spans[1];
}
