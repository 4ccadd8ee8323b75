import { parseCombinedLog } from "./combined-log.ts";
import { parseHar } from "./har.ts";
import type { Recording } from "./recorded-request.ts";

/**
 * Reads recorded requests: HAR 1.2, or an access log in the combined format for `host`. Entries that hold no
 * valid request are skipped. Errors: 400 code 40020 for another format, 40021 for a malformed HAR, 40024 for
 * more than 10,000 requests.
 */
export function readRecording(file: string, host: string): Recording {
  const text = file.replace(/^\uFEFF?\s+|^\uFEFF/, "");
  if (text.startsWith("{")) return parseHar(text);
  return parseCombinedLog(file.replace(/^\uFEFF/, ""), host);
}
