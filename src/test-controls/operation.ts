import type { ServerResponse } from "node:http";
import type { TObject, TSchema } from "@sinclair/typebox";
import { onServer } from "../core/policy/permission.ts";
import { successBody, successChunks } from "../api/envelope.ts";
import type { Method } from "../api/route.ts";
import {
  describe,
  inputReader,
  type Description,
  type Input,
  type Operation,
} from "../operation/operation.ts";
import { errorCodes } from "../core/error-codes.ts";
import { AppError, invalidBody } from "../core/error.ts";
import type { Check, Issue } from "../core/validate/rules.ts";

/** An operation of the test controls: for the owner, without a transaction or an entry in the audit log. */
export function testControl<
  const Name extends string,
  const Path extends string,
  const M extends Method,
  Result extends TSchema,
  Needs,
  Query extends TObject | undefined = undefined,
  Body extends TSchema | undefined = undefined,
>(
  spec: Omit<Description<Name, Path, Query, Body, Result>, "schemes"> & {
    readonly method: M;
    readonly run: (context: Needs, input: Input<Path, Query, Body>) => Promise<unknown>;
  },
) {
  const readInput = inputReader(spec, spec.method);
  return {
    ...describe(spec, spec.method, onServer),
    handle: async (context, request) => toAnswer(await spec.run(context, readInput(request))),
  } satisfies Operation<Needs>;
}

/** An operation whose body has a check of its own, which reports all issues at once. */
export function checkedTestControl<
  const Name extends string,
  const Path extends string,
  const M extends Method,
  BodySchema extends TSchema,
  Result extends TSchema,
  Needs,
  Body,
>(
  spec: Omit<Description<Name, Path, undefined, BodySchema, Result>, "schemes" | "query"> & {
    readonly method: M;
    readonly body: BodySchema;
    /** Reads the body. Throws for an invalid one. */
    readonly readBody: (body: unknown, context: Needs) => Body;
    readonly run: (context: Needs, body: Body) => Promise<unknown>;
  },
) {
  return {
    ...describe(spec, spec.method, onServer),
    handle: async (context, { body }) => toAnswer(await spec.run(context, spec.readBody(body, context))),
  } satisfies Operation<Needs>;
}

/** A result that is made while it is sent, as parts of its JSON. */
export class ResultChunks {
  readonly parts: AsyncIterable<string>;

  constructor(parts: AsyncIterable<string>) {
    this.parts = parts;
  }
}

function toAnswer(result: unknown) {
  return result instanceof ResultChunks
    ? { contentType: "application/json", chunks: successChunks(result.parts) }
    : successBody(result);
}

/**
 * Maximum number of issues in an answer. A body of 1 MiB could have so many that the answer would be larger
 * than the body.
 */
const issuesMax = 1_000;

/** Throws 400 code 1003 with all issues of a body, each with its pointer, unless there are none. */
export function refuseUnless(check: Check, body: unknown): void {
  const issues: Issue[] = [];
  check(body, "", issues);
  const [first, ...others] = issues
    .slice(0, issuesMax)
    .map(({ pointer, rule }) => invalidBody(pointer, rule));
  if (first === undefined) return;
  throw new AppError("invalid", errorCodes.request.invalid, first.message, {
    ...(first.pointer !== undefined && { pointer: first.pointer }),
    others,
  });
}

/** The headers of every answer while the test controls are on. */
export const controlsHeaders = { "zoneward-test-controls": "on" };

export function nameControls(response: ServerResponse): void {
  for (const [name, value] of Object.entries(controlsHeaders)) response.setHeader(name, value);
}
