/** A description as it is stored: without tags, as dashboards show it. */
export function withoutTags(text: string): string {
  return text.replaceAll(/<[^<>]*>/g, "");
}
