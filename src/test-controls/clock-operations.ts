import { Type } from "@sinclair/typebox";

import { invalidBody } from "../core/error.ts";
import { clockTimeOf, latestClockTime } from "../core/test-controls/clock-time.ts";
import { OptionalNullable } from "../operation/schema.ts";
import type { TestClock, TimedWork } from "./clock.ts";
import { testControl } from "./operation.ts";

export interface ClockContext {
  readonly clock: TestClock;
  readonly timedWork: TimedWork;
}

const Clock = Type.Object({
  now: Type.String({ format: "date-time", description: "The time of the server." }),
  frozen: Type.Boolean({ description: "Whether it stands still." }),
});

const description = "Not negative.";
const amount = (): ReturnType<typeof Type.Number> => Type.Number({ minimum: 0, description });

const Advance = Type.Object({
  days: Type.Optional(amount()),
  hours: Type.Optional(amount()),
  minutes: Type.Optional(amount()),
  seconds: Type.Optional(amount()),
  milliseconds: Type.Optional(amount()),
});

const ClockChange = Type.Object({
  now: OptionalNullable(Type.String({ description: "A time of RFC 3339, such as 2030-01-31T12:00:00Z." })),
  frozen: Type.Optional(Type.Boolean()),
});

export const getClock = testControl({
  name: "getClock",
  summary: "Get the time of the server",
  method: "GET",
  path: "/clock",
  result: Clock,
  run: async ({ clock }: ClockContext) => shown(clock),
});

/** Freezes, sets or resumes the clock. Errors: 400 code 1003 with a pointer to an invalid time. */
export const changeClock = testControl({
  name: "changeClock",
  summary: "Freeze the clock of the server, let it run, or set it; `now` = null sets it as the machine's",
  method: "PATCH",
  path: "/clock",
  body: ClockChange,
  result: Clock,
  run: async ({ clock, timedWork }: ClockContext, { body: { now, frozen } }) => {
    const target = now === undefined ? undefined : now === null ? clock.machineTime() : timeOf(now);
    if (frozen === true) clock.freeze();
    if (target !== undefined) await clock.moveTo(target, timedWork);
    if (frozen === false) clock.resume();
    return shown(clock);
  },
});

/** Moves the clock forward. Errors: 400 code 1003 for a time beyond the year 9899. */
export const advanceClock = testControl({
  name: "advanceClock",
  summary: "Move the clock on; what becomes due is done, in its order, before the answer",
  method: "POST",
  path: "/clock/advance",
  body: Advance,
  result: Clock,
  run: async ({ clock, timedWork }: ClockContext, { body }) => {
    const { days = 0, hours = 0, minutes = 0, seconds = 0, milliseconds = 0 } = body;
    const ms = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000 + milliseconds;
    const target = Math.round(clock.now().getTime() + ms);
    if (target > latestClockTime) throw invalidBody("/days", "leads beyond the year 9899");
    await clock.moveTo(target, timedWork);
    return shown(clock);
  },
});

function timeOf(text: string): number {
  const time = clockTimeOf(text);
  if (time !== undefined) return time;
  throw invalidBody("/now", "must be a time of RFC 3339 between the years 1970 and 9899");
}

function shown(clock: TestClock) {
  return { now: clock.now().toISOString(), frozen: clock.isFrozen };
}
