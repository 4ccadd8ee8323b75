import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";

import { Type } from "@sinclair/typebox";

import { errorCodes } from "../core/error-codes.ts";
import { invalidRequest } from "../core/error.ts";
import { bodyValidator } from "../api/validation.ts";

/** The content of a snapshot. */
export interface SnapshotContent {
  /** The whole store (`StoreImages`). */
  readonly image: Uint8Array;
  readonly clock: { readonly frozenAt: number | null; readonly aheadMs: number };
  /** Number of ids that were made of `ids_seed`; 0 without one. */
  readonly idsMade: number;
}

const format = "zoneward-snapshot/1";
const newline = 10;
/** The maximum size of a file in octets, unpacked. */
const bytesMax = 1024 ** 3;

const readHeader = bodyValidator(
  Type.Object({
    format: Type.Literal(format),
    clock: Type.Object({
      frozenAt: Type.Union([Type.Number({ minimum: 0, maximum: 253_402_300_799_999 }), Type.Null()]),
      aheadMs: Type.Number({ minimum: -1e14, maximum: 1e14 }),
    }),
    idsMade: Type.Integer({ minimum: 0, maximum: 2 ** 48 - 1 }),
  }),
);

/** Writes a snapshot as a file: a line of JSON and the store's image, in gzip. */
export async function toSnapshotFile({ image, clock, idsMade }: SnapshotContent): Promise<Uint8Array> {
  const header = Buffer.from(`${JSON.stringify({ format, clock, idsMade })}\n`);
  return promisify(gzip)(Buffer.concat([header, image]), { level: 1 });
}

/** Reads a file of a snapshot. Errors: 400 code 1002 for octets that are no such file. */
export async function readSnapshotFile(file: Uint8Array): Promise<SnapshotContent> {
  try {
    const content = await promisify(gunzip)(file, { maxOutputLength: bytesMax });
    const end = content.indexOf(newline);
    const { clock, idsMade } = readHeader(JSON.parse(content.subarray(0, end).toString()));
    return { clock, idsMade, image: content.subarray(end + 1) };
  } catch {
    throw invalidRequest(errorCodes.testControls.invalidSnapshot, "The file is no snapshot of Zoneward");
  }
}
