import { Type } from "@sinclair/typebox";

import { testControl } from "./operation.ts";

export interface StatusContext {
  readonly version: string;
  readonly now: () => Date;
}

const Status = Type.Object({
  version: Type.String({ description: "Version of Zoneward." }),
  now: Type.String({ format: "date-time", description: "The time of the server." }),
});

export const getTestControls = testControl({
  name: "getTestControls",
  summary: "Get the version of the server and its time",
  method: "GET",
  path: "/status",
  result: Status,
  run: async ({ version, now }: StatusContext) => ({ version, now: now().toISOString() }),
});
