import { textsOf } from "../../components/list-search.ts";

const names = ["method", "url", "protocol", "agent", "country"] as const;

/** The request that a page begins with. */
export type TracerSearch = { readonly [Name in (typeof names)[number]]?: string | undefined };

/** Reads it from the address, and leaves out whatever has no sense. */
export const readTracerSearch = (search: Readonly<Record<string, unknown>>): TracerSearch =>
  textsOf(search, names);
