/** Replaces characters that could control the terminal, so that the text fits on one safe line. */
export function printable(text: string): string {
  return text.replaceAll(/[\t\n\r]+/g, " ").replaceAll(/\p{C}/gu, "\u{FFFD}");
}
