const modulus = 2 ** 32;

/**
 * The serial after `current`: the seconds since 1970 if they are larger, else the next number. Serials are
 * compared as in RFC 1982, so they wrap at 2^32. Never 0, which some software takes for "no serial".
 */
export function nextSerial(current: number, nowSeconds: number): number {
  const now = nowSeconds % modulus;
  if (isLaterSerial(now, current)) return now === 0 ? 1 : now;
  const next = (current + 1) % modulus;
  return next === 0 ? 1 : next;
}

/** Whether `serial` comes after `other` (RFC 1982 section 3.2). */
export function isLaterSerial(serial: number, other: number): boolean {
  const ahead = (serial - other + modulus) % modulus;
  return ahead > 0 && ahead < modulus / 2;
}
