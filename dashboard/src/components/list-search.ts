export interface Sorting {
  readonly order: string;
  readonly direction: "asc" | "desc";
}

/** The state of a list page that its address holds; undefined takes a part out of the address. */
export interface ListSearch {
  readonly search?: string | undefined;
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly order?: string | undefined;
  readonly direction?: Sorting["direction"] | undefined;
}

/** Reads it, and leaves out whatever has no sense. */
export function readListSearch(search: Readonly<Record<string, unknown>>): ListSearch {
  const text = textOf(search["search"]);
  const order = textOf(search["order"]);
  const direction = search["direction"];
  const page = positive(search["page"]);
  const perPage = positive(search["per_page"]);
  return {
    ...(text !== undefined && { search: text }),
    ...(page !== undefined && page > 1 && { page }),
    ...(perPage !== undefined && { per_page: Math.min(perPage, 1000) }),
    ...(order !== undefined && { order }),
    ...((direction === "asc" || direction === "desc") && { direction }),
  };
}

/** The router reads `?search=42` as a number. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value) || undefined
    : undefined;
}

export function textsOf<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { readonly [Key in Name]?: string } {
  const texts = names.map((name) => [name, textOf(search[name])] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined)) as { [Key in Name]?: string };
}

function positive(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}
