const hour = 60 * 60 * 1000;

/** How far back events are shown. */
export const spans = [
  { value: "hour", label: "Last hour", milliseconds: hour },
  { value: "day", label: "Last 24 hours", milliseconds: 24 * hour },
  { value: "week", label: "Last 7 days", milliseconds: 7 * 24 * hour },
  { value: "month", label: "Last 30 days", milliseconds: 30 * 24 * hour },
] as const;

export type Span = (typeof spans)[number]["value"];
