import { setImmediate as nextTurn } from "node:timers/promises";
import { Readable } from "node:stream";
import { Type } from "@sinclair/typebox";
import { testControl, refuseUnless, checkedTestControl, ResultChunks } from "./operation.ts";
import { invalidBody, invalidIdentifier, invalidRequest } from "../core/error.ts";
import { clockTimeOf, latestClockTime, snapshotNamePattern } from "../core/test-controls/control-values.ts";
import { OptionalNullable } from "../operation/schema.ts";
import type { TestClock, TimedWork } from "./clock.ts";
import { errorCodes } from "../core/error-codes.ts";
import { isJsonObject, renderJson } from "../core/json.ts";
import {
  presetNames,
  presets,
  type FaultRule,
  type PresetName,
  faultRuleCheck,
} from "../core/test-controls/fault.ts";
import type { Fault, FaultSet } from "../core/test-controls/fault-set.ts";
import {
  type OperationNames,
  answeredMatchCheck,
  type AnsweredMatch,
  type Miss,
} from "../core/test-controls/match.ts";
import { follows, listOf, objectOf, type Check, oneOf, integerBetween } from "../core/validate/rules.ts";
import { FaultSchema, NewFaults, AnsweredMatchSchema } from "./fault-schema.ts";
import { onServer } from "../core/policy/permission.ts";
import {
  verificationCheck,
  verify,
  type Verification,
  type VerificationResult,
} from "../core/test-controls/verify.ts";
import { describe, type Operation } from "../operation/operation.ts";
import type { JournalEntry } from "./journal-entry.ts";
import type { RequestJournal } from "./request-journal.ts";
import { readUpload } from "../core/forms/upload.ts";
import { successBody } from "../api/envelope.ts";
import { formOf } from "../api/validation.ts";
import type { ServerState, Snapshot as SavedState } from "./server-state.ts";
import { changeProfile, getProfile, type ProfileContext } from "./profile.ts";

interface StatusContext {
  readonly version: string;
  readonly now: () => Date;
}

const Status = Type.Object({
  version: Type.String({ description: "Version of Zoneward." }),
  now: Type.String({ format: "date-time", description: "The time of the server." }),
});

const getTestControls = testControl({
  name: "getTestControls",
  summary: "Get the version of the server and its time",
  method: "GET",
  path: "/status",
  result: Status,
  run: async ({ version, now }: StatusContext) => ({ version, now: now().toISOString() }),
});

interface ClockContext {
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

const getClock = testControl({
  name: "getClock",
  summary: "Get the time of the server",
  method: "GET",
  path: "/clock",
  result: Clock,
  run: async ({ clock }: ClockContext) => shown(clock),
});

/** Freezes, sets or resumes the clock. Errors: 400 code 1003 with a pointer to an invalid time. */
const changeClock = testControl({
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
const advanceClock = testControl({
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

export interface FaultContext {
  readonly faults: FaultSet;
  readonly operationNames: OperationNames;
}

const faultsMax = 10_000;
const ids = { fault_id: /^\d{1,10}$/ };
const Id = Type.Object({ id: Type.String() });
const Ids = Type.Object({ ids: Type.Array(Type.String()) });

export const listFaults = testControl({
  name: "listFaults",
  summary: "List the faults, the one that is asked first at the top",
  method: "GET",
  path: "/faults",
  result: Type.Array(FaultSchema),
  run: async ({ faults }: FaultContext) => faults.list().map(toWire),
});

export const createFaults = checkedTestControl({
  name: "createFaults",
  summary: "Add a fault, several, or those of a preset: all of them, or none where one is wrong",
  method: "POST",
  path: "/faults",
  body: NewFaults,
  readBody: (body, { operationNames }: FaultContext) => {
    refuseUnless(newFaultsCheck(body, operationNames), body);
    return body as NewFaultsBody;
  },
  result: Type.Array(FaultSchema),
  run: async ({ faults }: FaultContext, body) => {
    const rules = rulesOf(body);
    if (faults.size + rules.length > faultsMax) {
      throw invalidRequest(errorCodes.request.invalid, `There can be at most ${faultsMax} faults`);
    }
    return rules.map((rule) => toWire(faults.add(rule)));
  },
});

export const switchFault = testControl({
  name: "switchFault",
  summary: "Switch a fault off, or on again with its counts at zero",
  method: "PATCH",
  path: "/faults/{fault_id}",
  ids,
  body: Type.Object({ on: Type.Boolean() }),
  result: FaultSchema,
  run: async ({ faults }: FaultContext, { params: { fault_id: id }, body }) => {
    const fault = faults.switch(id, body.on);
    if (fault === undefined) throw invalidIdentifier("fault");
    return toWire(fault);
  },
});

export const deleteFault = testControl({
  name: "deleteFault",
  summary: "Remove a fault",
  method: "DELETE",
  path: "/faults/{fault_id}",
  ids,
  result: Id,
  run: async ({ faults }: FaultContext, { params: { fault_id: id } }) => {
    if (!faults.remove(id)) throw invalidIdentifier("fault");
    return { id };
  },
});

export const deleteFaults = testControl({
  name: "deleteFaults",
  summary: "Remove all faults",
  method: "DELETE",
  path: "/faults",
  result: Ids,
  run: async ({ faults }: FaultContext) => {
    const removed = faults.list().map(({ id }) => id);
    faults.clear();
    return { ids: removed };
  },
});

type NewFaultsBody = FaultRule | readonly FaultRule[] | { readonly preset: PresetName };

const preset = objectOf({ preset: follows(oneOf(...presetNames)) });

function newFaultsCheck(body: unknown, operations: OperationNames): Check {
  if (isPreset(body)) return preset;
  const rule = faultRuleCheck(operations);
  return Array.isArray(body) ? listOf(rule, faultsMax) : rule;
}

function isPreset(body: unknown): body is { readonly preset: PresetName } {
  return isJsonObject(body) && "preset" in body;
}

function rulesOf(body: NewFaultsBody): readonly FaultRule[] {
  if (isPreset(body)) return presets[body.preset];
  return "effect" in body ? [body] : body;
}

function toWire({ id, rule, isOn, matched, acted }: Fault): object {
  const { name = null, match = {}, effect } = rule;
  return { id, name, match, effect, on: isOn, matched, acted };
}

export interface JournalContext {
  readonly journal: RequestJournal;
  readonly operationNames: OperationNames;
}

const limitMax = 10_000;
const limitDefault = 100;

const Nullable = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()]);

const EntrySchema = Type.Object({
  number: Type.Integer({ description: "Counts requests in the order in which they came." }),
  at: Type.String({ format: "date-time" }),
  listener: Type.String(),
  operation: Nullable(Type.String()),
  method: Type.String(),
  path: Type.String(),
  query: Type.String(),
  zone: Nullable(Type.String()),
  caller: Type.Union([
    Type.Object({
      credential: Type.String(),
      token_id: Nullable(Type.String()),
      user: Type.Union([Type.Object({ id: Type.String(), email: Type.String() }), Type.Null()]),
    }),
    Type.Null(),
  ]),
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.Unknown({ description: "JSON as it is, anything else as text; secrets are replaced." }),
  status: Type.Union([Type.Integer(), Type.Null()], { description: "Null where there was no answer." }),
  answer: Type.Unknown({ description: "The same of the answer." }),
  fault: Nullable(Type.String({ description: "Id of the fault that acted." })),
  milliseconds: Type.Number(),
});

const FoundSchema = Type.Object({
  total: Type.Integer({ description: "Entries that match." }),
  dropped: Type.Integer({ description: "Older entries that are no longer kept." }),
  entries: Type.Array(EntrySchema, { description: "The newest of them, in the order in which they came." }),
});

const MissSchema = Type.Object({
  entry: EntrySchema,
  misses: Type.Array(Type.Object({ part: Type.String(), expected: Type.Unknown(), actual: Type.Unknown() }), {
    description: "The parts of the match that it does not fulfil.",
  }),
});

async function find({ journal }: JournalContext, match: AnsweredMatch, limit: number): Promise<ResultChunks> {
  const { total, found } = await journal.search(match, limit);
  return new ResultChunks(foundParts(journal, total, found));
}

async function* foundParts(
  journal: RequestJournal,
  total: number,
  found: readonly JournalEntry[],
): AsyncGenerator<string> {
  yield `{"total":${total},"dropped":${journal.dropped},"entries":[`;
  let separator = "";
  for await (const entry of journal.render(found)) {
    yield separator + entry;
    separator = ",";
  }
  yield "]}";
}

export const listJournal = testControl({
  name: "listJournal",
  summary: "List the newest requests",
  method: "GET",
  path: "/journal",
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limitMax, description: "100 by default." })),
  }),
  result: FoundSchema,
  run: async (context: JournalContext, { query }) => find(context, {}, query.limit ?? limitDefault),
});

export const searchJournal = checkedTestControl({
  name: "searchJournal",
  summary: "Find requests in the journal",
  method: "POST",
  path: "/journal/search",
  body: Type.Object({
    match: Type.Optional(AnsweredMatchSchema),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limitMax, description: "100 by default." })),
  }),
  readBody: (body, { operationNames }: JournalContext) => {
    const match = answeredMatchCheck(operationNames);
    refuseUnless(objectOf({ match, limit: follows(integerBetween(1, limitMax)) }), body);
    return body as { readonly match?: AnsweredMatch; readonly limit?: number };
  },
  result: FoundSchema,
  run: async (context: JournalContext, { match = {}, limit = limitDefault }) => find(context, match, limit),
});

export const verifyJournal = checkedTestControl({
  name: "verifyJournal",
  summary: "Compare the journal with what a test expects of it",
  method: "POST",
  path: "/journal/verify",
  body: Type.Object({
    expect: Type.Array(
      Type.Object({
        match: AnsweredMatchSchema,
        at_least: Type.Optional(Type.Integer({ minimum: 0, description: "1 where `at_most` is not given." })),
        at_most: Type.Optional(Type.Integer({ minimum: 0 })),
      }),
    ),
    in_order: Type.Optional(Type.Boolean({ description: "Whether they have to come in this order." })),
  }),
  readBody: (body, { operationNames }: JournalContext) => {
    refuseUnless(verificationCheck(operationNames), body);
    return body as Verification;
  },
  result: Type.Object({
    verified: Type.Boolean(),
    out_of_order: Type.Union([Type.Integer(), Type.Null()], {
      description: "Index of the first expectation that does not follow those before it.",
    }),
    expectations: Type.Array(
      Type.Object({
        fulfilled: Type.Boolean(),
        count: Type.Integer(),
        near_misses: Type.Array(MissSchema, { description: "The closest first." }),
      }),
    ),
  }),
  run: async ({ journal }: JournalContext, verification) => {
    const comparison = verify(verification, await journal.entries());
    let step = comparison.next();
    while (step.done !== true) {
      await nextTurn();
      step = comparison.next();
    }
    return new ResultChunks(verificationParts(journal, step.value));
  },
});

async function* verificationParts(
  journal: RequestJournal,
  { isVerified, outOfOrder, expectations }: VerificationResult<JournalEntry>,
): AsyncGenerator<string> {
  yield `{"verified":${isVerified},"out_of_order":${outOfOrder ?? null},"expectations":[`;
  for (const [index, { isFulfilled, count, nearMisses }] of expectations.entries()) {
    yield `${index === 0 ? "" : ","}{"fulfilled":${isFulfilled},"count":${count},"near_misses":[`;
    let separator = "";
    for (const { entry, misses } of nearMisses) {
      for await (const rendered of journal.render([entry])) {
        yield `${separator}{"entry":${rendered},"misses":${renderJson(misses.map(toWireMiss))}}`;
        separator = ",";
      }
      await nextTurn();
    }
    yield "]}";
  }
  yield "]}";
}

function toWireMiss({ part, expected, actual }: Miss): object {
  return { part, expected, actual };
}

export const clearJournal = testControl({
  name: "clearJournal",
  summary: "Forget all requests",
  method: "DELETE",
  path: "/journal",
  result: Type.Object({}),
  run: async ({ journal }: JournalContext) => {
    journal.clear();
    return {};
  },
});

const eventStream = "text/event-stream";

export const followJournal: Operation<JournalContext> = {
  ...describe(
    {
      name: "followJournal",
      summary: "Follow requests as server-sent events `request`, each with an entry as its data",
      path: "/journal/stream",
      result: Type.String(),
    },
    "GET",
    onServer,
  ),
  textType: eventStream,
  handle: async ({ journal }) => ({ contentType: eventStream, chunks: journal.feed.follow() }),
};

interface StateContext extends FaultContext, JournalContext {
  readonly state: ServerState;
}

const Snapshot = Type.Object({
  name: Type.String(),
  saved_on: Type.String({ format: "date-time", description: "The time of the server then." }),
  bytes: Type.Integer({ description: "Octets that it takes in memory." }),
});

const snapshotIds = { snapshot_name: snapshotNamePattern };
const fileBytesMax = 256 * 1024 ** 2;
const formBytesMax = 64 * 1024;

/**
 * Puts back the state of the start. Errors: 400 code 1003 before Node.js 24.16, 503 code 10505 while requests
 * run.
 */
const resetServer = testControl({
  name: "resetServer",
  summary: "Put back the state with which the server started, remove all faults and clear the journal",
  method: "POST",
  path: "/reset",
  result: Type.Null(),
  run: async ({ state, faults, journal }: StateContext) => {
    await state.reset();
    faults.clear();
    journal.clear();
    return null;
  },
});

const listSnapshots = testControl({
  name: "listSnapshots",
  summary: "List the snapshots",
  method: "GET",
  path: "/snapshots",
  result: Type.Array(Snapshot),
  run: async ({ state }: StateContext) => state.snapshots.map(toSnapshot),
});

/**
 * Saves the state under a name. Errors: 400 code 1003 before Node.js 24.16, 400 code 1004, 503 code 10505
 * while requests run.
 */
const saveSnapshot = testControl({
  name: "saveSnapshot",
  summary: "Save the state of the server under a name, in the place of what had it",
  method: "PUT",
  path: "/snapshots/{snapshot_name}",
  ids: snapshotIds,
  result: Snapshot,
  run: async ({ state }: StateContext, { params }) => toSnapshot(await state.save(params.snapshot_name)),
});

/** Errors: 404 code 1001, 503 code 10505 while requests run. */
const restoreSnapshot = testControl({
  name: "restoreSnapshot",
  summary: "Put a saved state in the place of the server's; connections stay open",
  method: "POST",
  path: "/snapshots/{snapshot_name}/restore",
  ids: snapshotIds,
  result: Snapshot,
  run: async ({ state }: StateContext, { params }) => toSnapshot(await state.restore(params.snapshot_name)),
});

/** Errors: 404 code 1001. */
const deleteSnapshot = testControl({
  name: "deleteSnapshot",
  summary: "Delete a snapshot",
  method: "DELETE",
  path: "/snapshots/{snapshot_name}",
  ids: snapshotIds,
  result: Type.Object({ name: Type.String() }),
  run: async ({ state }: StateContext, { params }) => {
    state.remove(params.snapshot_name);
    return { name: params.snapshot_name };
  },
});

const fileType = "application/gzip";

/** Errors: 404 code 1001. */
const exportSnapshot = {
  ...describe(
    {
      name: "exportSnapshot",
      summary: "Get a snapshot as a file, which another Zoneward can import",
      path: "/snapshots/{snapshot_name}/file",
      ids: snapshotIds,
      result: Type.String(),
    },
    "GET",
    onServer,
  ),
  textType: fileType,
  handle: async ({ state }: StateContext, { params }) => ({
    contentType: fileType,
    chunks: Readable.from([await state.export(params["snapshot_name"] ?? "")], { objectMode: false }),
  }),
} satisfies Operation<StateContext>;

/**
 * Adds a snapshot from a file. Errors: 400 code 1002 for a file that cannot be read here, 400 code 1003
 * before Node.js 24.16, 400 code 1004.
 */
const importSnapshot = {
  ...describe(
    {
      name: "importSnapshot",
      summary: "Add a snapshot from a file; restore it to use it",
      path: "/snapshots/{snapshot_name}/file",
      ids: snapshotIds,
      body: Type.Object({ file: Type.String({ format: "binary" }) }),
      result: Snapshot,
    },
    "PUT",
    onServer,
  ),
  uploadBytesMax: fileBytesMax + formBytesMax,
  handle: async ({ state }: StateContext, { params, body, contentType }) => {
    const { file } = readUpload(formOf(body, contentType));
    return successBody(toSnapshot(await state.import(params["snapshot_name"] ?? "", file)));
  },
} satisfies Operation<StateContext>;

function toSnapshot({ name, savedOn, image }: SavedState) {
  return { name, saved_on: savedOn.toISOString(), bytes: image.length };
}

export interface TestControlsContext extends StatusContext, ClockContext, StateContext, ProfileContext {}

/** All operations of the test controls, in the order of their document. */
export const operations = [
  getTestControls,
  resetServer,
  listSnapshots,
  saveSnapshot,
  restoreSnapshot,
  deleteSnapshot,
  exportSnapshot,
  importSnapshot,
  getClock,
  changeClock,
  advanceClock,
  getProfile,
  changeProfile,
  listFaults,
  createFaults,
  switchFault,
  deleteFault,
  deleteFaults,
  listJournal,
  searchJournal,
  verifyJournal,
  clearJournal,
  followJournal,
] as const satisfies readonly Operation<TestControlsContext>[];
