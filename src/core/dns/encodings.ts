const whiteSpace = /\s+/g;
const hexadecimal = /^(?:[0-9A-F]{2})+$/;
// RFC 4648 section 3.5: the unused bits of the last character are zero, so that octets have one text.
const base64 =
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)$/;

/** One or more octets in hexadecimal, in upper case and without white space; undefined if the text is not that. */
export function parseHex(text: string): string | undefined {
  const digits = text.replace(whiteSpace, "").toUpperCase();
  return hexadecimal.test(digits) ? digits : undefined;
}

/** One or more octets in padded base64 (RFC 4648), without white space; undefined if the text is not that. */
export function parseBase64(text: string): string | undefined {
  const digits = text.replace(whiteSpace, "");
  return base64.test(digits) ? digits : undefined;
}

/** How many octets a result of `parseHex` holds. */
export function hexOctets(digits: string): number {
  return digits.length / 2;
}

/** How many octets a result of `parseBase64` holds. */
export function base64Octets(digits: string): number {
  return (digits.length / 4) * 3 - (digits.match(/=/g)?.length ?? 0);
}
