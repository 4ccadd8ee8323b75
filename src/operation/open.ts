import { Readable } from "node:stream";

import type { TObject, TSchema } from "@sinclair/typebox";

import type { Credentials } from "../api/credentials.ts";
import type { Cookie } from "../api/session-cookie.ts";
import { successBody, type Message } from "../api/envelope.ts";
import type { Browser, Method } from "../api/route.ts";
import { describe, inputReader, type Description, type Input, type Operation } from "./operation.ts";

type OpenDescription<Name extends string, Path extends string, Result extends TSchema> = Omit<
  Description<Name, Path, undefined, undefined, Result>,
  "query" | "body" | "bodyError" | "schemes"
>;

/** A read that needs no credentials. */
export function openRead<
  const Name extends string,
  const Path extends string,
  Result extends TSchema,
  Needs = object,
  Query extends TObject | undefined = undefined,
>(
  spec: OpenDescription<Name, Path, Result> & {
    readonly query?: Query;
    readonly run: (context: Needs, input: Pick<Input<Path, Query>, "query">) => Promise<unknown>;
  },
) {
  const readInput = inputReader<Path, Query, undefined>(spec, "GET");
  return {
    ...describe(spec, "GET", "open"),
    run: spec.run,
    handle: async (context, request) => successBody(await spec.run(context, readInput(request))),
  } satisfies Operation<Needs> & { run: unknown };
}

/** A read that needs no credentials and answers text. */
export function openText<
  const Name extends string,
  const Path extends string,
  Result extends TSchema,
  Needs = object,
>(
  spec: OpenDescription<Name, Path, Result> & {
    readonly contentType: string;
    readonly run: (context: Needs) => Promise<string>;
  },
) {
  const { contentType } = spec;
  return {
    ...describe(spec, "GET", "open"),
    run: spec.run,
    textType: contentType,
    handle: async (context) => ({ contentType, chunks: Readable.from([await spec.run(context)]) }),
  } satisfies Operation<Needs> & { run: unknown };
}

/** The work of a read that checks the credentials itself. */
export interface CredentialsWork<Needs> {
  readonly context: Needs;
  readonly credentials: Credentials;
  readonly address: string;
  /** Adds to the `messages` of the answer. */
  readonly addMessage: (message: Message) => void;
}

/** A read that checks the credentials itself. */
export function credentialsRead<
  const Name extends string,
  const Path extends string,
  Result extends TSchema,
  Needs = object,
>(
  spec: OpenDescription<Name, Path, Result> & {
    readonly run: (work: CredentialsWork<Needs>, input: Pick<Input<Path>, "params">) => Promise<unknown>;
  },
) {
  return {
    ...describe(spec, "GET", "credentials"),
    run: spec.run,
    handle: async (context, { credentials, address, params }) => {
      const messages: Message[] = [];
      const addMessage = (message: Message): void => void messages.push(message);
      const work = { context, credentials: credentials as Credentials, address, addMessage };
      return successBody(await spec.run(work, { params }), messages);
    },
  } satisfies Operation<Needs> & { run: unknown };
}

/** The work of an operation on a browser's session. */
export interface SessionWork<Needs> {
  readonly context: Needs;
  readonly browser: Browser;
}

/** The result of an operation on a browser's session. */
export interface SessionResult {
  readonly result: unknown;
  /** The session of the browser from now on; `none` ends it, absent leaves it. */
  readonly cookie?: Cookie | "none";
  readonly deviceCookie?: Cookie | undefined;
}

/** Octets; small, as the sender is not authenticated yet. */
const sessionBodyBytesMax = 16 * 1024;

/**
 * An operation on a browser's session, at the root of the origin instead of below the base path. It opens its
 * own units of work.
 */
export function sessionOperation<
  const Name extends string,
  const Path extends string,
  Result extends TSchema,
  const M extends Method,
  Needs,
  Body extends TSchema | undefined = undefined,
>(
  spec: OpenDescription<Name, Path, Result> & {
    readonly method: M;
    readonly needsSession: boolean;
    readonly body?: Body;
    readonly run: (
      work: SessionWork<Needs>,
      input: Pick<Input<Path, undefined, Body>, "body">,
    ) => Promise<SessionResult>;
  },
) {
  const readInput = inputReader<Path, undefined, Body>(spec, spec.method);
  return {
    ...describe({ ...spec, schemes: spec.needsSession ? ["session"] : [] }, spec.method, "session"),
    run: spec.run,
    isAtRoot: true,
    bodyBytesMax: sessionBodyBytesMax,
    handle: async (context, request) => {
      const { body } = readInput(request);
      const work = { context, browser: request.browser as Browser };
      const { result, cookie, deviceCookie } = await spec.run(work, { body });
      return { body: successBody(result), cookie, deviceCookie };
    },
  } satisfies Operation<Needs> & { run: unknown };
}
