import { isIP } from "node:net";
import { isJsonObject } from "../core/json.ts";
import { integerBetween, oneOf, trueOrFalse, type Rule } from "../core/validate/rules.ts";

/**
 * A setting. `parse` takes the text of a flag or variable, or a JSON value of a file; it returns the value,
 * or an error with the broken rule.
 */
export interface Setting<Value> {
  readonly fallback: Value;
  /** The notation of the value, for `--help`. */
  readonly notation: string;
  readonly help: string;
  readonly secret: boolean;
  readonly isFlag: boolean;
  readonly parse: (raw: unknown) => Value | Error;
}

type Details = { readonly help: string; readonly notation?: string; readonly secret?: boolean };

/** A non-empty text that `accepts` allows; `rule` is the condition in words. */
export function text<Value extends string | undefined>(
  fallback: Value,
  details: Details & { readonly accepts?: (value: string) => boolean; readonly rule?: string },
): Setting<string | Value> {
  const { accepts = () => true, rule = "must be a text" } = details;
  return setting<string | Value>(fallback, { notation: "TEXT", ...details }, (raw) => {
    const value = typeof raw === "number" ? String(raw) : raw;
    return typeof value === "string" && value !== "" && accepts(value) ? value : new Error(rule);
  });
}

export function integer(
  fallback: number,
  details: Details & { readonly min: number; readonly max: number },
): Setting<number> {
  const rule = integerBetween(details.min, details.max);
  return setting(fallback, { notation: "N", ...details }, (raw) =>
    checked(rule, typeof raw === "string" && /^-?\d{1,15}$/.test(raw) ? Number(raw) : raw),
  );
}

/** A flag: on where the command line has it, or where a variable or a file says `true` or `1`. */
export function flag(details: Details): Setting<boolean> {
  const spellings = new Map<unknown, boolean>([
    [true, true],
    [false, false],
    ["true", true],
    ["false", false],
    ["1", true],
    ["0", false],
  ]);
  return {
    ...setting(false, { notation: "", ...details }, (raw) => checked(trueOrFalse, spellings.get(raw))),
    isFlag: true,
  };
}

export function choice<const Choice extends string>(
  fallback: Choice,
  choices: readonly Choice[],
  details: Details,
): Setting<Choice> {
  const rule = oneOf(...choices);
  return setting(fallback, { notation: choices.join("|"), ...details }, (raw) =>
    checked(rule, typeof raw === "number" ? String(raw) : raw),
  );
}

/** A list: separated by commas in a flag or variable, an array in a file. */
export function list(
  fallback: readonly string[],
  details: Details & { readonly accepts: (entry: string) => boolean; readonly rule: string },
): Setting<readonly string[]> {
  const { accepts, rule } = details;
  return setting(fallback, { notation: "A,B,...", ...details }, (raw) => {
    const entries = typeof raw === "string" ? raw.split(",").map((entry) => entry.trim()) : raw;
    const isValid =
      Array.isArray(entries) && entries.every((entry) => typeof entry === "string" && accepts(entry));
    return isValid ? (entries as string[]) : new Error(rule);
  });
}

/** `off`, `auto` (depends on other settings) or a number. */
export function integerOrAutomatic(
  fallback: "auto",
  details: Details & { readonly min: number; readonly max: number },
): Setting<"auto" | "off" | number> {
  const { parse } = integer(details.min, details);
  return setting<"auto" | "off" | number>(fallback, { notation: "auto|off|N", ...details }, (raw) => {
    if (raw === "auto" || raw === "off") return raw;
    const value = parse(raw);
    return value instanceof Error ? new Error(`${value.message}, auto or off`) : value;
  });
}

/** Maximum numbers of requests that are answered. */
export interface RateQuotas {
  /** In five minutes. */
  readonly user: number;
  /** In a second. */
  readonly address: number;
}

/** The limits of the public service (docs/contract/credentials.md#rate-limits). */
export const publicRateQuotas: RateQuotas = { user: 1_200, address: 200 };

/**
 * `off`, `on`, `auto` (depends on other settings) or numbers; a number that is left out is that of the public service.
 */
export function rateLimit(fallback: "auto", details: Details): Setting<"auto" | "off" | RateQuotas> {
  const quota = integer(1, { ...details, min: 1, max: 1_000_000_000 });
  return setting<"auto" | "off" | RateQuotas>(
    fallback,
    { notation: "auto|off|on|JSON", ...details },
    (raw) => {
      if (raw === "auto" || raw === "off") return raw;
      if (raw === "on") return publicRateQuotas;
      const given = parseJson(raw);
      if (!isJsonObject(given) || Object.keys(given).some((key) => !(key in publicRateQuotas))) {
        return new Error(`must be auto, off, on or numbers such as ${JSON.stringify(publicRateQuotas)}`);
      }
      const quotas = { ...publicRateQuotas, ...given };
      const user = quota.parse(quotas.user);
      const address = quota.parse(quotas.address);
      if (user instanceof Error) return new Error(`user ${user.message}`);
      return address instanceof Error ? new Error(`address ${address.message}`) : { user, address };
    },
  );
}

function checked<Value>({ accepts, rule }: Rule<Value>, value: unknown): Value | Error {
  return accepts(value) ? value : new Error(rule);
}

/** Parses the text of a flag or variable; the values of a file are JSON already. Undefined for anything else. */
export function parseJson(raw: unknown): unknown {
  if (typeof raw !== "string") return raw;
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

export function setting<Value>(
  fallback: Value,
  { help, notation = "", secret = false }: Details,
  parse: Setting<Value>["parse"],
): Setting<Value> {
  return { fallback, notation, help, secret, isFlag: false, parse };
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** The address and port of `192.0.2.1:53` or `[2001:db8::1]:53`; undefined for anything else. */
function parseListenAddress(address: string): ListenAddress | undefined {
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(address) ?? [];
  const host = six ?? four ?? "";
  const isAddress = isIP(host) === (six === undefined ? 4 : 6);
  return isAddress && Number(port) <= 65_535 ? { host, port: Number(port) } : undefined;
}

/** A setting that is a list of addresses to listen on, none by default. */
export function listenAddressList(example: string, help: string) {
  return list([], {
    notation: "ADDRESS:PORT,...",
    accepts: (entry) => parseListenAddress(entry) !== undefined,
    rule: `must be a list of addresses with ports, such as ${example}`,
    help,
  });
}

export function listenAddresses(entries: readonly string[]): readonly ListenAddress[] {
  return entries.map(parseListenAddress).filter((address) => address !== undefined);
}

/** The addresses that only programs on the same machine can reach. */
export const loopbackNetworks: readonly string[] = ["127.0.0.0/8", "::1"];

/** Whether only programs on the same machine can reach the address. */
export function isLoopbackAddress({ host }: ListenAddress): boolean {
  return host.startsWith("127.") || host === "::1";
}
