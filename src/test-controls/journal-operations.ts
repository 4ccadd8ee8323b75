import { setImmediate as nextTurn } from "node:timers/promises";

import { Type } from "@sinclair/typebox";

import { renderJson } from "../core/json-text.ts";
import { onServer } from "../core/policy/permission.ts";
import {
  answeredMatchCheck,
  type AnsweredMatch,
  type Miss,
  type OperationNames,
} from "../core/test-controls/match.ts";
import {
  verificationCheck,
  verify,
  type Verification,
  type VerificationResult,
} from "../core/test-controls/verify.ts";
import { follows, objectOf } from "../core/validate/check.ts";
import { integerBetween } from "../core/validate/rules.ts";
import { describe, type Operation } from "../operation/operation.ts";
import { AnsweredMatchSchema } from "./fault-schema.ts";
import { refuseUnless } from "./issues.ts";
import type { JournalEntry } from "./journal-entry.ts";
import { checkedTestControl, ResultChunks, testControl } from "./operation.ts";
import type { RequestJournal } from "./request-journal.ts";

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
