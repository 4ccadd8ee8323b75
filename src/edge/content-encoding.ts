import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from "node:zlib";

/** A body that was cut off is decoded as far as it goes. */
const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["br", () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
  ["deflate", () => createInflate({ finishFlush: constants.Z_SYNC_FLUSH })],
  ["gzip", () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })],
  ["x-gzip", () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })],
  ["zstd", () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush })],
]);

/**
 * Decodes the beginning of a body, `octets`, into at most `bytesMax` octets. Empty for an unknown encoding,
 * and for several; stops at what is not valid.
 */
export async function decodedStart(encoding: string, octets: Buffer, bytesMax: number): Promise<Buffer> {
  const name = encoding.trim().toLowerCase();
  if (name === "" || name === "identity") return octets.subarray(0, bytesMax);
  const decoder = decoders.get(name)?.();
  if (decoder === undefined) return Buffer.alloc(0);
  const parts: Buffer[] = [];
  let bytes = 0;
  decoder.end(octets);
  try {
    for await (const part of decoder) {
      parts.push(part as Buffer);
      bytes += (part as Buffer).length;
      if (bytes >= bytesMax) break;
    }
  } catch {
    // What was decoded before the error is still judged.
  }
  return Buffer.concat(parts).subarray(0, bytesMax);
}
