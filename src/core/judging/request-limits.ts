/** Limits of requests that are evaluated without being sent: recorded or traced ones. */
export const requestLimits = {
  /** Characters. */
  urlLengthMax: 8_192,
  headerNameLengthMax: 255,
  headerValueLengthMax: 8_192,
  /** Characters of all headers and cookies together. */
  headersLengthMax: 131_072,
  /** Octets; the rest is not evaluated. */
  bodyOctetsMax: 131_072,
} as const;

interface RequestHead {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
}

/** A part of a request that is too long, and the violated rule. */
export interface ExcessivePart {
  readonly part: "url" | "headers" | "cookies";
  readonly rule: string;
}

/** Undefined within the limits. */
export function excessivePart({ url, headers, cookies }: RequestHead): ExcessivePart | undefined {
  const { urlLengthMax, headersLengthMax } = requestLimits;
  if (url.length > urlLengthMax) return { part: "url", rule: `must have at most ${urlLengthMax} characters` };
  let length = 0;
  for (const [part, pairs] of [
    ["headers", headers],
    ["cookies", cookies],
  ] as const) {
    for (const [name, value] of Object.entries(pairs)) {
      if (isTooLong(name, value)) return { part, rule: pairRule };
      length += name.length + value.length;
    }
    if (length > headersLengthMax) {
      return { part, rule: `must have at most ${headersLengthMax} characters together` };
    }
  }
  return undefined;
}

const { headerNameLengthMax, headerValueLengthMax } = requestLimits;
const pairRule = `must have names of at most ${headerNameLengthMax} and values of at most ${headerValueLengthMax} characters`;

function isTooLong(name: string, value: string): boolean {
  return name.length > headerNameLengthMax || value.length > headerValueLengthMax;
}
