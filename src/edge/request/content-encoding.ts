import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";

import { FairQueue } from "../../core/fair-queue.ts";

/** The largest window of zstd that HTTP permits (RFC 9659). */
const zstdWindowBits = 23;

/** A body that was cut off is decoded as far as it goes. */
const decoders: ReadonlyMap<string, (octets: Buffer) => Transform> = new Map([
  ["br", () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
  ["deflate", inflate],
  ["gzip", () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })],
  ["x-gzip", () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })],
  [
    "zstd",
    () =>
      createZstdDecompress({
        finishFlush: constants.ZSTD_e_flush,
        params: { [constants.ZSTD_d_windowLogMax]: zstdWindowBits },
      }),
  ],
]);

/** Some clients leave out the header of zlib (RFC 9110 section 8.4.1.2). */
function inflate(octets: Buffer): Transform {
  const [method = 0, flags = 0] = octets;
  const isZlib = (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0;
  const options = { finishFlush: constants.Z_SYNC_FLUSH };
  return isZlib ? createInflate(options) : createInflateRaw(options);
}

/** The beginning of an encoded body, decoded. */
interface DecodedStart {
  readonly octets: Buffer;
  /** Whether all that was given was valid, as far as it was decoded. */
  readonly isValid: boolean;
  /** Whether there is more of it. */
  readonly isCut: boolean;
}

/** Bounds what decoders hold: one of Brotli takes 16 MiB for its window. */
const decodersMax = 8;

/** Decodes the beginnings of bodies, a few at a time, and those of each owner in turn. */
export class BodyDecoders {
  #open = 0;
  readonly #waiting = new FairQueue<() => void>();

  /**
   * Decodes the beginning of a body into at most `bytesMax` octets. Undefined for an unknown encoding, and for several.
   */
  async decode(
    owner: string,
    encoding: string,
    octets: Buffer,
    bytesMax: number,
  ): Promise<DecodedStart | undefined> {
    const [name, ...others] = codingsOf(encoding);
    if (name === undefined) {
      return { octets: octets.subarray(0, bytesMax), isValid: true, isCut: octets.length > bytesMax };
    }
    const open = decoders.get(name);
    if (open === undefined || others.length > 0) return undefined;
    if (this.#open >= decodersMax) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(owner, resolve);
      });
    } else this.#open += 1;
    try {
      return await decodeAll(open(octets), octets, bytesMax);
    } finally {
      const next = this.#waiting.take();
      if (next === undefined) this.#open -= 1;
      else next();
    }
  }
}

/** The codings of a `Content-Encoding`, in the order in which they were applied. */
export function codingsOf(encoding: string): string[] {
  const names = encoding.split(",").map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== "" && name !== "identity");
}

async function decodeAll(decoder: Transform, octets: Buffer, bytesMax: number): Promise<DecodedStart> {
  const parts: Buffer[] = [];
  let bytes = 0;
  let isValid = true;
  decoder.end(octets);
  try {
    for await (const part of decoder) {
      parts.push(part as Buffer);
      bytes += (part as Buffer).length;
      if (bytes > bytesMax) break;
    }
  } catch {
    isValid = false;
  }
  return { octets: Buffer.concat(parts).subarray(0, bytesMax), isValid, isCut: bytes > bytesMax };
}
