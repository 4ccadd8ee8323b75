import type { Transform } from "node:stream";
import { constants, createBrotliCompress, createGzip, createZstdCompress } from "node:zlib";

import { FairRoom } from "../../core/fair-room.ts";
import type { ActionParameters } from "../../core/rulesets/action-parameters.ts";
import { valueIn, type Header } from "../../core/transforms/request-headers.ts";
import { encodingQualities, type VisitorRequest } from "../request/visitor-request.ts";

/** An encoding that the edge applies to the body of a response. */
export type Encoding = "br" | "gzip" | "zstd";

/** The stored parameters of a `compress_response` rule. */
interface CompressionParameters {
  readonly algorithms?: readonly { readonly name: keyof typeof encodingsOf | "none" | "auto" | "default" }[];
}

const encodingsOf = { brotli: "br", gzip: "gzip", zstd: "zstd" } as const;

/** Octets of a body below which compression does not pay; as the public service documents them. */
const bytesMin: Readonly<Record<Encoding, number>> = { br: 50, gzip: 48, zstd: 50 };

/** The statuses of responses that are compressed, as the public service documents them. */
const compressedStatuses: ReadonlySet<number> = new Set([200, 403, 404]);

/** Content types that are compressed without a rule. A stream of events is none of them: it has to arrive at once. */
const compressible =
  /^(?:text\/(?!event-stream)[^;]*|image\/(?:bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)|font\/(?:otf|ttf)|application\/(?:json|jsonml|xml|javascript|x-javascript|wasm|vnd\.ms-fontobject|[^;]*\+(?:json|xml)))\s*(?:;|$)/i;

interface Answered {
  readonly status: number;
  readonly headers: readonly Header[];
}

interface Compressing {
  /** The zone setting `brotli`. */
  readonly hasBrotli: boolean;
  /** Parameters that `compress_response` rules set. */
  readonly rules: ActionParameters;
}

interface Choice {
  /** Undefined if the body stays as it is. */
  readonly encoding: Encoding | undefined;
  /** Whether other visitors may get it in another encoding. */
  readonly isVaried: boolean;
}

const asItIs: Choice = { encoding: undefined, isVaried: false };

/** Chooses the encoding in which an origin's response goes to a visitor. */
export function chooseEncoding(
  { protocol, headers: asked }: Pick<VisitorRequest, "protocol" | "headers">,
  answered: Answered,
  { hasBrotli, rules }: Compressing,
): Choice {
  const bytes = Number(valueIn(answered.headers, "content-length") || Number.POSITIVE_INFINITY);
  if (bytes < bytesMin.gzip || !mayBeCompressed(answered)) return asItIs;
  const usual: readonly Encoding[] = hasBrotli ? ["br", "gzip"] : ["gzip"];
  const isUsual = compressible.test(valueIn(answered.headers, "content-type"));
  const wanted = wantedBy(rules, isUsual ? usual : [], usual);
  const possible = wanted.filter((encoding) => bytes >= bytesMin[encoding]);
  const quality = encodingQualities(valueIn(asked, "accept-encoding"));
  const best = Math.max(0, ...possible.map(quality));
  // A client of HTTP/1.0 may not read a body of unknown length.
  const isTaken = protocol !== "HTTP/1.0" && best > 0;
  return {
    encoding: isTaken ? possible.find((encoding) => quality(encoding) === best) : undefined,
    isVaried: possible.length > 0,
  };
}

/** The encodings that a rule names, in its order; `byDefault` without one. */
function wantedBy(
  { algorithms }: CompressionParameters,
  byDefault: readonly Encoding[],
  automatic: readonly Encoding[],
): readonly Encoding[] {
  if (algorithms === undefined) return byDefault;
  return algorithms.flatMap(({ name }) => {
    if (name === "none") return [];
    if (name === "default") return byDefault;
    return name === "auto" ? automatic : [encodingsOf[name]];
  });
}

/** Whether a response may be encoded at all: whole, as the origin made it, and free to be transformed. */
function mayBeCompressed({ status, headers }: Answered): boolean {
  if (!compressedStatuses.has(status)) return false;
  if (!/^(?:identity)?$/i.test(valueIn(headers, "content-encoding").trim())) return false;
  if (/(?:^|[\s,])no-transform(?:[\s,]|$)/i.test(valueIn(headers, "cache-control"))) return false;
  return !headers.some(([name]) => describesOctets.has(name));
}

/** Headers that speak of the octets of a body, which would be others. */
const describesOctets: ReadonlySet<string> = new Set([
  "content-range",
  "content-md5",
  "content-digest",
  "digest",
]);

/** The headers of a response once its body is encoded. */
export function encodedHeaders(
  headers: readonly Header[],
  { encoding, isVaried }: Choice,
): readonly Header[] {
  const varied = isVaried ? withVary(headers) : headers;
  if (encoding === undefined) return varied;
  const kept = varied.filter(([name]) => !ofPlainBody.has(name));
  return [...kept.map(weakened), ["content-encoding", encoding]];
}

const ofPlainBody: ReadonlySet<string> = new Set(["content-length", "content-encoding", "accept-ranges"]);

function withVary(headers: readonly Header[]): readonly Header[] {
  const isSaid = /(?:^|[\s,])(?:\*|accept-encoding)(?:[\s,]|$)/i.test(valueIn(headers, "vary"));
  return isSaid ? headers : [...headers, ["vary", "accept-encoding"]];
}

/** A strong validator is about the octets (RFC 9110 section 8.8.1). */
function weakened([name, value]: Header): Header {
  return name === "etag" && value.startsWith('"') ? [name, `W/${value}`] : [name, value];
}

/** Bodies that are compressed at the same time: each takes memory, also while its visitor reads nothing. */
const compressorsMax = 256;
const brotliQuality = 4;
/** Octets that a compressor looks back, as a power of two. */
const windowBits = 18;

/** Compresses the bodies of responses, in threads of Node.js. */
export class Compressors {
  readonly #room = new FairRoom(compressorsMax);

  /**
   * `isStreamed`: each part is passed on at once. Undefined where too many bodies are being compressed for these
   * owners.
   */
  open(owners: readonly string[], encoding: Encoding, isStreamed: boolean): Transform | undefined {
    const giveBack = this.#room.take(owners);
    if (giveBack === undefined) return undefined;
    return createCompressor(encoding, isStreamed).once("close", giveBack);
  }
}

function createCompressor(encoding: Encoding, isStreamed: boolean): Transform {
  if (encoding === "gzip")
    return createGzip({ flush: isStreamed ? constants.Z_SYNC_FLUSH : constants.Z_NO_FLUSH });
  if (encoding === "br") {
    return createBrotliCompress({
      flush: isStreamed ? constants.BROTLI_OPERATION_FLUSH : constants.BROTLI_OPERATION_PROCESS,
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_LGWIN]: windowBits,
      },
    });
  }
  return createZstdCompress({
    flush: isStreamed ? constants.ZSTD_e_flush : constants.ZSTD_e_continue,
    params: { [constants.ZSTD_c_windowLog]: windowBits },
  });
}
