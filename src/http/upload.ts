import { isUtf8 } from "node:buffer";

import { AppError } from "../core/error.ts";

const carriageReturn = 13;

/** A form with a file. */
export interface Upload {
  /** Text of the field `file`, UTF-8. */
  readonly file: string;
  /** The other fields; of one that comes twice, the last. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Reads a `multipart/form-data` body. Errors: 400 code 1003 for another body, for one without the field `file`, and for
 * one that is not UTF-8, whose characters would be misread.
 */
export async function readUpload(body: unknown, contentType: string | undefined): Promise<Upload> {
  const form = Buffer.isBuffer(body)
    ? await parseForm(body as Buffer<ArrayBuffer>, contentType ?? "")
    : undefined;
  if (form === undefined) {
    throw new AppError("invalid", 1003, "Invalid body: must be multipart/form-data with a field `file`");
  }
  if (!isUtf8(body as Buffer)) {
    throw new AppError("invalid", 1003, "Invalid body `file`: must be UTF-8", { pointer: "/file" });
  }
  const file = form.get("file");
  if (file === null)
    throw new AppError("invalid", 1003, "Invalid body `file`: is required", { pointer: "/file" });
  const fields: Record<string, string> = {};
  for (const [name, value] of form) {
    if (name !== "file" && typeof value === "string") fields[name] = value;
  }
  return { file: typeof file === "string" ? file : await file.text(), fields };
}

async function parseForm(body: Buffer<ArrayBuffer>, contentType: string): Promise<FormData | undefined> {
  try {
    // The platform's own parser: it wants a response around the body.
    return await new Response(withCrlf(body), { headers: { "content-type": contentType } }).formData();
  } catch {
    return undefined;
  }
}

/** The lines of a form end with CRLF (RFC 2046, section 4.1.1), those of cloudflare-go 0.x with LF alone. */
function withCrlf(body: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const isCrlf = body.subarray(0, body.indexOf("\n")).at(-1) === carriageReturn;
  return isCrlf ? body : Buffer.from(body.toString("latin1").replaceAll(/\r?\n/g, "\r\n"), "latin1");
}
