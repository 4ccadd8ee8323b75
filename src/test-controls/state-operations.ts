import { Readable } from "node:stream";

import { Type } from "@sinclair/typebox";

import { readUpload } from "../core/forms/upload.ts";
import { onServer } from "../core/policy/permission.ts";
import { snapshotNamePattern } from "../core/test-controls/snapshot-name.ts";
import { successBody } from "../api/envelope.ts";
import { formOf } from "../api/form-body.ts";
import { describe, type Operation } from "../operation/operation.ts";
import type { FaultContext } from "./fault-operations.ts";
import type { JournalContext } from "./journal-operations.ts";
import { testControl } from "./operation.ts";
import type { ServerState, Snapshot as SavedState } from "./server-state.ts";

export interface StateContext extends FaultContext, JournalContext {
  readonly state: ServerState;
}

const Snapshot = Type.Object({
  name: Type.String(),
  saved_on: Type.String({ format: "date-time", description: "The time of the server then." }),
  bytes: Type.Integer({ description: "Octets that it takes in memory." }),
});

const ids = { snapshot_name: snapshotNamePattern };
const fileBytesMax = 256 * 1024 ** 2;
const formBytesMax = 64 * 1024;

/**
 * Puts back the state of the start. Errors: 400 code 1003 before Node.js 24.16, 503 code 10505 while requests
 * run.
 */
export const resetServer = testControl({
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

export const listSnapshots = testControl({
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
export const saveSnapshot = testControl({
  name: "saveSnapshot",
  summary: "Save the state of the server under a name, in the place of what had it",
  method: "PUT",
  path: "/snapshots/{snapshot_name}",
  ids,
  result: Snapshot,
  run: async ({ state }: StateContext, { params }) => toSnapshot(await state.save(params.snapshot_name)),
});

/** Errors: 404 code 1001, 503 code 10505 while requests run. */
export const restoreSnapshot = testControl({
  name: "restoreSnapshot",
  summary: "Put a saved state in the place of the server's; connections stay open",
  method: "POST",
  path: "/snapshots/{snapshot_name}/restore",
  ids,
  result: Snapshot,
  run: async ({ state }: StateContext, { params }) => toSnapshot(await state.restore(params.snapshot_name)),
});

/** Errors: 404 code 1001. */
export const deleteSnapshot = testControl({
  name: "deleteSnapshot",
  summary: "Delete a snapshot",
  method: "DELETE",
  path: "/snapshots/{snapshot_name}",
  ids,
  result: Type.Object({ name: Type.String() }),
  run: async ({ state }: StateContext, { params }) => {
    state.remove(params.snapshot_name);
    return { name: params.snapshot_name };
  },
});

const fileType = "application/gzip";

/** Errors: 404 code 1001. */
export const exportSnapshot = {
  ...describe(
    {
      name: "exportSnapshot",
      summary: "Get a snapshot as a file, which another Zoneward can import",
      path: "/snapshots/{snapshot_name}/file",
      ids,
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
export const importSnapshot = {
  ...describe(
    {
      name: "importSnapshot",
      summary: "Add a snapshot from a file; restore it to use it",
      path: "/snapshots/{snapshot_name}/file",
      ids,
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
