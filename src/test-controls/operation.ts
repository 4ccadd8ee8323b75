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
