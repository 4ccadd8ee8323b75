/** The value that a rule matched last, as the rule saw it: truncated, and with secrets replaced. */
export interface MatchedData {
  /** `ARGS:q`. */
  readonly variable: string;
  readonly value: string;
}

const hidden = "(not shown)";

const secret =
  "passw|passphrase|pwd|secret|token|credential|authoriz|api[-_]?key|private[-_]?key|session|cvv|card[-_]?num|(?<![a-z])(?:auth|csrf|otp|pass|pin|sid)(?![a-z])";
const secretName = new RegExp(secret, "i");
/** `password=...` and `"password": "..."` within a longer value. */
const secretPair = new RegExp(`((?:${secret})[\\w-]{0,20}"?\\s{0,3}[=:]\\s{0,3}"?)[^&;,"\\s]+`, "gi");
const secretHeaders: ReadonlySet<string> = new Set(["cookie", "proxy-authorization"]);

/** Hides cookies, credentials in headers, and values whose name suggests a secret. */
export function withoutSecrets({ variable, value }: MatchedData): MatchedData {
  const [collection = "", name = ""] = variable.split(/:(.*)/s);
  const isHidden =
    collection === "REQUEST_COOKIES" || secretHeaders.has(name.toLowerCase()) || secretName.test(name);
  return { variable, value: isHidden ? hidden : value.replaceAll(secretPair, `$1${hidden}`) };
}
