/** A text made safe for one line of a terminal, so that its author cannot steer what the operator sees. */
export function printable(text: string): string {
  return text.replaceAll(/[\t\n\r]+/g, " ").replaceAll(/\p{C}/gu, "\u{FFFD}");
}
