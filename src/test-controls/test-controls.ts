import type { Server } from "node:http";

import { Type } from "@sinclair/typebox";

import type { Identity } from "../core/policy/caller.ts";
import { compilePolicies } from "../core/policy/grants.ts";
import { openApiDocument } from "../api/openapi.ts";
import type { Route } from "../api/route.ts";
import type { Api, TestControls as HttpTestControls } from "../api/server-options.ts";
import { mount } from "../operation/operation.ts";
import { hashSecret } from "../secrets/secrets.ts";
import { TestClock, type TimedWork } from "./clock.ts";
import { operations, type TestControlsContext } from "./operations.ts";
import { SeededIds, ServerState } from "./server-state.ts";
import { guardRequests, StateGate } from "./state-gate.ts";
import { lenientApi } from "./lenient.ts";
import { controlsHeaders, nameControls } from "./operation.ts";
import { Profile, type ProfileName } from "./profile.ts";
import { createTraffic, type Traffic, type TrafficOptions } from "./traffic.ts";

const basePath = "/test/v1";

interface TestControlsOptions {
  /** The clock of the machine. */
  readonly now: () => Date;
  /** The server's clock is frozen at this time; it runs where that is undefined. */
  readonly clockStart: Date | undefined;
  readonly idsSeed: string | undefined;
  readonly profile: { readonly name: ProfileName; readonly seed: number };
  /** The token that the settings give for the test controls alone. */
  readonly token: string | undefined;
}

interface Controlled extends Omit<TrafficOptions, "now" | "profile"> {
  readonly version: string;
  readonly timedWork: TimedWork;
}

interface ServedTestControls extends HttpTestControls {
  readonly controlled: Api;
  /**
   * Watches a server. It must be called after the other listeners of requests were added, and before they are
   * bound to turns.
   */
  readonly watch: (server: Server) => void;
  /** Passes the questions of DNS through the faults and the journal. */
  readonly watchQuestions: Traffic["watchQuestions"];
  readonly watchWebSockets: Traffic["watchWebSockets"];
  /** Passes visits of the edge through the faults and the journal. */
  readonly watchVisits: Traffic["watchVisits"];
  /** Ends the streams of clients. It must be called before the server waits for its requests. */
  readonly close: () => void;
}

/** The test controls of a server. Loaded only where the settings ask for them. */
export class TestControls {
  readonly clock: TestClock;
  /** Undefined where ids are random. */
  readonly ids: SeededIds | undefined;
  /** The gate of the state. Every timer runs its rounds as a user of it. */
  readonly gate = new StateGate();
  readonly state: ServerState;
  readonly profile: Profile;
  readonly #tokenHash: string | undefined;

  constructor({ now, clockStart, idsSeed, profile, token }: TestControlsOptions) {
    this.clock = new TestClock(now, clockStart);
    this.ids = idsSeed === undefined ? undefined : new SeededIds(idsSeed);
    this.state = new ServerState(this);
    this.profile = new Profile(profile.name, profile.seed);
    this.#tokenHash = token === undefined ? undefined : hashSecret(token);
  }

  serve({ version, timedWork, ...options }: Controlled): ServedTestControls {
    const { clock, gate, state } = this;
    const { authenticate, authorize } = options.controlled;
    const { profile } = this;
    const traffic = createTraffic({ ...options, profile, now: clock.now });
    const context: TestControlsContext = {
      version,
      now: clock.now,
      clock,
      timedWork,
      state,
      profile,
      ...traffic,
    };
    const routes = operations.map((operation) => mount(operation, context));
    return {
      headers: controlsHeaders,
      controlled: lenientApi(options.controlled, profile, options.lenientHooks),
      onRestored: (listener) => state.onRestored(listener),
      api: {
        basePath,
        routes: [reference(routes, version), ...routes],
        authenticate: async (credentials, address) =>
          this.#isToken(credentials.token) ? byToken : authenticate(credentials, address),
        authorize: async (caller, permission, names) => {
          if (caller.credential !== byToken.credential) await authorize(caller, permission, names);
        },
      },
      noteCaller: traffic.noteCaller,
      watchQuestions: traffic.watchQuestions,
      watchWebSockets: {
        ...traffic.watchWebSockets,
        receiveHandshake: (request, response, proceed) => {
          nameControls(response);
          traffic.watchWebSockets.receiveHandshake(request, response, proceed);
        },
      },
      watchVisits: {
        ...traffic.watchVisits,
        receive: (request, response, visited, proceed) => {
          nameControls(response);
          traffic.watchVisits.receive(request, response, visited, proceed);
        },
      },
      close: () => traffic.journal.feed.close(),
      watch: (server) => {
        // A request that a fault delays does not use the state yet.
        guardRequests(server, gate, ({ url }) => !url?.startsWith(`${basePath}/`));
        traffic.watch(server);
        // The API sets these headers itself, with its others.
        server.prependListener("request", ({ url = "" }, response) => {
          if (!url.startsWith(`${options.controlled.basePath}/`)) nameControls(response);
        });
      },
    };
  }

  #isToken(given: string | undefined): boolean {
    return given !== undefined && hashSecret(given) === this.#tokenHash;
  }
}

/** The identity of `test_controls_token`: a user that the store does not know. */
const byToken: Identity = {
  user: undefined,
  credential: { kind: "token", tokenId: "test-controls", accountId: undefined },
  accountIds: [],
  grants: compilePolicies([]),
  grantors: [],
};

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
