import { looksLikeCombinedLog, parseCombinedLog } from "./combined-log.ts";
import { parseHar } from "./har.ts";
import { unknownFormat, type Recording } from "./recorded-request.ts";

/**
 * Reads recorded requests: HAR 1.2, or an access log in the combined format for `host`.
 * Errors: 400 code 40020 for another format, 40021 for a malformed HAR, 40022 for a malformed line.
 */
export function readRecording(file: string, host: string): Recording {
  const text = file.replace(/^\uFEFF?\s+|^\uFEFF/, "");
  if (text.startsWith("{")) return parseHar(text);
  if (looksLikeCombinedLog(text)) return parseCombinedLog(file.replace(/^\uFEFF/, ""), host);
  throw unknownFormat();
}
