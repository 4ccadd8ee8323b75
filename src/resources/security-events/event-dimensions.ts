import { eventFields } from "./event-fields.ts";

/** Times that events are counted by, besides their fields: how much of `datetime` they keep, and what stands behind it. */
const periods = {
  date: { form: "text", characters: 10, rest: "" },
  datetimeHour: { form: "text", characters: 13, rest: ":00:00Z" },
  datetimeMinute: { form: "text", characters: 16, rest: ":00Z" },
} as const;

/** What events are counted by: a field of an event, or a period of time. */
export const eventDimensions = { ...eventFields, ...periods };

export type EventDimension = keyof typeof eventDimensions;
