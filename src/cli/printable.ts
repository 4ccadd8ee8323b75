/** A text on one line of a terminal: whoever wrote it must not steer what the operator sees. */
export function printable(text: string): string {
  return text.replaceAll(/[\t\n\r]+/g, " ").replaceAll(/\p{C}/gu, "\u{FFFD}");
}
