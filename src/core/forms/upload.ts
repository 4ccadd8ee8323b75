import { errorCodes } from "../error-codes.ts";
import { AppError, invalidBody } from "../error.ts";
import { readMultipart, type FormBody } from "./multipart.ts";

/** A form with a file. */
export interface Upload {
  /** Content of the field `file`, not decoded yet. */
  readonly file: Uint8Array;
  /** The other fields; of one that comes twice, the last. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Reads a `multipart/form-data` body. Errors: 400 code 1003 for another body or one of more than 32 parts, for one without
 * the field `file`, and for a field that is not UTF-8.
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

/** Why a body is not read. */
export function notAForm(): AppError {
  return new AppError(
    "invalid",
    errorCodes.request.invalid,
    "Invalid body: must be multipart/form-data with a field `file`",
  );
}

/** The text of a file. Errors: 400 code 1003 where it is not UTF-8, as its characters would be misread. */
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
