import type { Server } from "node:http";

import { Type } from "@sinclair/typebox";

import type { Identity } from "../core/caller.ts";
import { compilePolicies } from "../core/policy/grants.ts";
import { openApiDocument } from "../http/openapi.ts";
import type { Route } from "../http/route.ts";
import type { Api, TestControls } from "../http/server-options.ts";
import { mount } from "../operation/operation.ts";
import { hashSecret } from "../secrets/secrets.ts";
import { operations, type TestControlsContext } from "./operations.ts";

const basePath = "/test/v1";
const headers = { "zoneward-test-controls": "on" };

interface TestControlsOptions extends Pick<Api, "authenticate" | "authorize"> {
  readonly context: TestControlsContext;
  /** The token that the settings give, for the test controls alone. */
  readonly token: string | undefined;
}

/** The test controls of a server. Loaded only where the settings ask for them. */
export interface MountedTestControls extends TestControls {
  /** Must be called after the other listeners of requests were added, and before they are bound to turns. */
  readonly watch: (server: Server) => void;
}

export function createTestControls({
  context,
  token,
  authenticate,
  authorize,
}: TestControlsOptions): MountedTestControls {
  const routes = operations.map((operation) => mount(operation, context));
  const tokenHash = token === undefined ? undefined : hashSecret(token);
  const byToken: Identity = {
    user: undefined,
    credential: { kind: "token", tokenId: "test-controls", accountId: undefined },
    accountIds: [],
    grants: compilePolicies([]),
    grantors: [],
  };
  const isToken = (given: string | undefined): boolean =>
    given !== undefined && hashSecret(given) === tokenHash;
  return {
    headers,
    api: {
      basePath,
      routes: [reference(routes, context.version), ...routes],
      authenticate: async (credentials, address) =>
        isToken(credentials.token) ? byToken : authenticate(credentials, address),
      authorize: async (caller, permission, names) => {
        if (caller.credential !== byToken.credential) await authorize(caller, permission, names);
      },
    },
    watch: (server) => {
      server.prependListener("request", (_, response) => {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      });
    },
  };
}

/** The document of the test controls, which needs no credentials. */
function reference(routes: readonly Route[], version: string): Route {
  const path = "/openapi.json";
  let document: string | undefined;
  return {
    operation: "getTestControlsReference",
    summary: "Get this document",
    method: "GET",
    path,
    access: "open",
    isBare: true,
    schemas: { result: Type.Object({}) },
    handle: async () => {
      document ??= JSON.stringify(
        openApiDocument(routes, {
          basePath,
          version,
          title: "Zoneward test controls",
          description:
            "What tests do with a server besides using it. Served with the setting `test_controls`.",
        }),
      );
      return document;
    },
  };
}
