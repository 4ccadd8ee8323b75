const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const form = /^(?:\d+|(?:\d+[smhdw])+)$/i;
const ttlMax = 2 ** 31 - 1; // RFC 2181 section 8

/**
 * Seconds of a time in a zone file: a number of seconds, or numbers with the units of BIND (`1h30m`, `1W`).
 * Undefined for anything else and above 2^31 - 1.
 */
export function parseTtl(token: string): number | undefined {
  if (!form.test(token)) return undefined;
  const seconds = /\D/.test(token)
    ? [...token.matchAll(/(\d+)(\D)/g)].reduce(
        (sum, [, count, unit = ""]) => sum + Number(count) * unitSeconds(unit),
        0,
      )
    : Number(token);
  return seconds <= ttlMax ? seconds : undefined;
}

function unitSeconds(unit: string): number {
  return secondsOf[unit.toLowerCase()] ?? 0;
}
