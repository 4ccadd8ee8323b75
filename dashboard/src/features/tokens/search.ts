import { readListSearch, type ListSearch } from "../../components/list-search.ts";
import { templateNames, type TemplateName } from "./token-templates.ts";

export interface TokensSearch extends ListSearch {
  /** Whether expired tokens are listed too. */
  readonly expired?: boolean | undefined;
}

/** Reads it from the address, and leaves out whatever has no sense. */
export function readTokensSearch(search: Readonly<Record<string, unknown>>): TokensSearch {
  return {
    ...readListSearch(search),
    ...(search["expired"] === true && { expired: true }),
  };
}

export interface NewTokenSearch {
  readonly template?: TemplateName | undefined;
}

/** Reads it from the address. */
export function readNewTokenSearch(search: Readonly<Record<string, unknown>>): NewTokenSearch {
  const template = templateNames.find((name) => name === search["template"]);
  return template === undefined ? {} : { template };
}
