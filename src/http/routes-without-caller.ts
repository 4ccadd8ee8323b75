import type { TSchema } from "@sinclair/typebox";

import type { Cookie } from "./browser-session.ts";
import type { Credentials } from "./credentials.ts";
import { successBody } from "./envelope.ts";
import {
  describe,
  type Answer,
  type Browser,
  type Definition,
  type Input,
  type Method,
  type Route,
  type StaticOf,
} from "./route.ts";
import { bodyValidator } from "./validation.ts";

/** An operation that judges the credentials itself. */
export function credentialsRoute<const Path extends string>(
  definition: Definition<Path, undefined> & {
    readonly handle: (
      input: Omit<Input<Path, undefined>, "query"> & {
        readonly credentials: Credentials;
        readonly address: string;
      },
    ) => Promise<Answer<unknown>>;
  },
): Route {
  return {
    ...describe(definition),
    method: "GET",
    access: "credentials",
    handle: async (request) => {
      const credentials = request.credentials as Credentials;
      const { params, address } = request;
      const { result, messages } = await definition.handle({ credentials, params, address });
      return successBody(result, messages);
    },
  };
}

/** Nobody knows yet who sends it. */
const sessionBodyBytesMax = 16 * 1024;

/** An operation at the root of the origin, on a browser's session. */
export function sessionRoute<const Path extends string, Body extends TSchema | undefined = undefined>(
  definition: Definition<Path, undefined> & {
    readonly method: Method;
    /** Whether there has to be one. */
    readonly needsSession: boolean;
    readonly body?: Body;
    readonly handle: (input: {
      readonly browser: Browser;
      readonly body: StaticOf<Body>;
    }) => Promise<
      Answer<unknown> & { readonly cookie?: Cookie | "none"; readonly deviceCookie?: Cookie | undefined }
    >;
  },
): Route {
  const readBody = definition.body && bodyValidator(definition.body);
  return {
    ...describe(definition),
    isAtRoot: true,
    method: definition.method,
    access: "session",
    schemes: definition.needsSession ? ["session"] : [],
    bodyBytesMax: sessionBodyBytesMax,
    handle: async (request) => {
      const body = readBody?.(request.body) as StaticOf<Body>;
      const { result, messages, cookie, deviceCookie } = await definition.handle({
        browser: request.browser as Browser,
        body,
      });
      return { body: successBody(result, messages), cookie, deviceCookie };
    },
  };
}
