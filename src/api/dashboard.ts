import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import type { Answer } from "../wire/answers.ts";
import type { ApiRequest } from "./api-request.ts";
import { transportErrors } from "./errors.ts";

/** Serves the files of the dashboard at paths without a route. */
export interface Dashboard {
  /** Whether a request is GET or HEAD and outside the paths of other parts of the server. */
  readonly mayServe: (request: ApiRequest) => boolean;
  /** Errors: 400 code 7000 if there is no such file and the request is not for a page. */
  readonly serve: (request: ApiRequest) => Promise<Answer>;
}

interface File {
  readonly body: Buffer;
  readonly type: string;
  readonly cacheControl: string;
  /** Filled on demand. */
  readonly encoded: Map<Encoding, Promise<Buffer>>;
}

interface Files {
  readonly byPath: ReadonlyMap<string, File>;
  /** `index.html`. */
  readonly page: string;
}

type Encoding = "br" | "gzip";

/** First segments of paths that belong to other parts of the server. */
const reserved = new Set(["client", "gateway", "v1", "session", "docs", "healthz", "readyz", "metrics"]);

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};
/** Formats that are compressed themselves. */
const compressedTypes = new Set([types[".png"], types[".woff2"]]);

const compress: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (body) => promisify(gzip)(body, { level: 9 }),
};

const notBuilt = `The dashboard is not built. In the directory of Zoneward, run

  npm ci

and ask again. The API is at /client/v4, its reference at /docs.
`;

const securityHeaders = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/**
 * Serves the files below `directory`, which are read once, with the first request. A request for a page at a path
 * without a file is answered with `index.html`. `headers` are added to every answer.
 */
export function createDashboard(directory: string, headers: Readonly<Record<string, string>>): Dashboard {
  let known: Files | undefined;
  const commonFields = Object.entries({ ...securityHeaders, ...headers }).flat();
  const load = async (): Promise<Files | undefined> => (known ??= await readFiles(directory));
  return {
    mayServe: ({ method, path }) =>
      (method === "GET" || method === "HEAD") && !reserved.has(path.split("/", 2)[1] ?? ""),
    serve: async ({ path, headers: { accept, "accept-encoding": encodings } }) => {
      const files = await load();
      const file = files?.byPath.get(path);
      if (file !== undefined) return fileAnswer(file, encodings, commonFields);
      if (!isPage(path, accept)) throw transportErrors.noRoute();
      const fields = [...commonFields, "cache-control", "no-cache", "content-type"];
      if (files === undefined) {
        return { status: 404, fields: [...fields, "text/plain; charset=utf-8"], body: notBuilt };
      }
      const nonce = randomBytes(16).toString("base64");
      return {
        status: 200,
        fields: [...fields, "text/html; charset=utf-8", "content-security-policy", policyWith(nonce)],
        body: files.page.replaceAll("__CSP_NONCE__", nonce),
      };
    },
  };
}

/**
 * Whether a request is for a page: the start page, or a path without file extension that a browser requests as HTML.
 */
function isPage(path: string, accept = ""): boolean {
  return (
    path === "/" ||
    (accept.includes("text/html") && /^(?:\/[\w~%-][\w.~%-]*)+\/?$/.test(path) && extname(path) === "")
  );
}

/** The components add styles with the nonce at run time; scripts are files. */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    // The expression engine compiles WebAssembly.
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join("; ");
}

async function fileAnswer(
  file: File,
  encodings: string | string[] | undefined,
  commonFields: readonly string[],
): Promise<Answer> {
  const { type, cacheControl } = file;
  const fields = [
    ...commonFields,
    "cache-control",
    cacheControl,
    "vary",
    "accept-encoding",
    "content-type",
    type,
  ];
  const encoding = encodingFor(encodings, file);
  if (encoding === undefined) return { status: 200, fields, body: file.body };
  const encoded = file.encoded.get(encoding) ?? compress[encoding](file.body);
  file.encoded.set(encoding, encoded);
  return { status: 200, fields: [...fields, "content-encoding", encoding], body: await encoded };
}

function encodingFor(accepted: string | string[] | undefined, { type, body }: File): Encoding | undefined {
  if (compressedTypes.has(type) || body.length < 1_000) return undefined;
  const offers = String(accepted ?? "")
    .split(",")
    .map((offer) => offer.trim());
  const takes = (encoding: Encoding): boolean =>
    offers.some(
      (offer) => offer === encoding || (offer.startsWith(`${encoding};`) && !/;\s*q=0(?:\.0*)?$/.test(offer)),
    );
  return (["br", "gzip"] as const).find(takes);
}

/** Undefined if the dashboard is not built. */
async function readFiles(directory: string): Promise<Files | undefined> {
  let page: string;
  try {
    page = await readFile(join(directory, "index.html"), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const byPath = new Map<string, File>();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = `/${relative(directory, join(entry.parentPath, entry.name)).split(sep).join("/")}`;
    // Metadata of the build.
    if (path.includes("/.")) continue;
    byPath.set(path, {
      body: await readFile(join(directory, path)),
      type,
      // The name of an asset holds a hash of its content.
      cacheControl: path.startsWith("/assets/")
        ? "public, max-age=31536000, immutable"
        : "public, max-age=3600",
      encoded: new Map(),
    });
  }
  return { byPath, page };
}
