/** Listed, and yet anybody's at home (https://www.rfc-editor.org/rfc/rfc8375). */
const homeNetwork = "home.arpa";

/**
 * Whether a name from `parseZoneName` is a public suffix, of the ICANN or of the private section of the list
 * (https://publicsuffix.org). Names below those that the list does not know are not.
 */
export async function isPublicSuffix(name: string): Promise<boolean> {
  if (name === homeNetwork) return false;
  // Loaded when the first zone is added: the list takes a while to parse.
  const { parse } = await import("tldts");
  const { publicSuffix, isIcann, isPrivate } = parse(name, {
    allowPrivateDomains: true,
    validateHostname: false,
  });
  return publicSuffix === name && (isIcann === true || isPrivate === true);
}
