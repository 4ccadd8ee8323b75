import { eventFields } from "./event-fields.ts";

/** Periods for counting events: the kept characters of `datetime`, and the text after them. */
const periods = {
  date: { form: "text", characters: 10, rest: "" },
  datetimeHour: { form: "text", characters: 13, rest: ":00:00Z" },
  datetimeMinute: { form: "text", characters: 16, rest: ":00Z" },
} as const;

/** What events are grouped by: a field or a period. */
export const eventDimensions = { ...eventFields, ...periods };

export type EventDimension = keyof typeof eventDimensions;
