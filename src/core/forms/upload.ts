import { errorCodes } from "../error-codes.ts";
import { AppError, invalidBody, invalidRequest } from "../error.ts";
import { readMultipart, type FormBody } from "./multipart.ts";

export interface Upload {
  /** Content of the field `file`, not decoded yet. */
  readonly file: Uint8Array;
  /** The other fields; the last of repeated ones. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Reads a `multipart/form-data` body. Errors: 400 code 1003 for any other body, more than 32 parts, no field
 * `file`, and fields that are not UTF-8.
 */
export function readUpload(form: FormBody): Upload {
  const parts = readMultipart(form);
  if (parts === undefined) throw notAForm();
  const file = parts.find(({ name }) => name === "file")?.content;
  if (file === undefined) {
    throw invalidBody("/file", "is required");
  }
  const others = parts.filter(({ name }) => name !== "file");
  return {
    file,
    fields: Object.fromEntries(others.map(({ name, content }) => [name, textOf(content, name)])),
  };
}

/** The error for a body that is no form: 400 code 1003. */
export function notAForm(): AppError {
  return invalidRequest(
    errorCodes.request.invalid,
    "Invalid body: must be multipart/form-data with a field `file`",
  );
}

/** The text of a file. Errors: 400 code 1003 unless it is UTF-8. */
export function textOfFile(file: Uint8Array): string {
  return textOf(file, "file");
}

function textOf(bytes: Uint8Array, field: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidBody(`/${field}`, "must be UTF-8");
  }
}
