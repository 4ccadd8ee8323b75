const label = "(?!-)[a-z0-9-]{1,63}(?<!-)";
const listedHostname = new RegExp(String.raw`^(?:\*\.)?${label}(?:\.${label})+$`);
const hostnameLengthMax = 253;

/** A name of two labels or more in lower case, also after `*.`; undefined for anything else. */
export function parseListedHostname(text: string): string | undefined {
  const name = text.toLowerCase();
  return name.length <= hostnameLengthMax && listedHostname.test(name) ? name : undefined;
}
