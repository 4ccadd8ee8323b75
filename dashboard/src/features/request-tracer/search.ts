import { textOf } from "../../components/list-search.ts";

/** The request that a page begins with. */
export interface TracerSearch {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly protocol?: string | undefined;
  readonly agent?: string | undefined;
  readonly country?: string | undefined;
}

const names = ["method", "url", "protocol", "agent", "country"] as const;

/** Reads it from the address, and leaves out whatever has no sense. */
export function readTracerSearch(search: Readonly<Record<string, unknown>>): TracerSearch {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = textOf(search[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
