const names = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** "Brazil" for `BR`; what is no code of a country, such as `T1` for Tor, as it is. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code;
}
