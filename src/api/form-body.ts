import type { FormBody } from "../core/forms/multipart.ts";
import { notAForm } from "../core/forms/upload.ts";

/** The form in a body. It owns its memory, which can therefore be transferred to a worker. Errors: 400 code 1003. */
export function formOf(body: unknown, contentType = ""): FormBody {
  if (!Buffer.isBuffer(body)) throw notAForm();
  const { buffer, byteLength } = body as Buffer<ArrayBuffer>;
  const isOwner = buffer.byteLength === byteLength;
  return { bytes: isOwner ? new Uint8Array(buffer) : new Uint8Array(body), contentType };
}
