const label = "(?!-)[a-z0-9-]{1,63}(?<!-)";
const listedHostname = new RegExp(String.raw`^(?:\*\.)?${label}(?:\.${label})+$`);
const hostnameLengthMax = 253;

/**
 * A hostname of two or more labels, or a wildcard `*.` before one, in lower case; undefined for anything
 * else.
 */
export function parseListedHostname(text: string): string | undefined {
  const name = text.toLowerCase();
  return name.length <= hostnameLengthMax && listedHostname.test(name) ? name : undefined;
}
