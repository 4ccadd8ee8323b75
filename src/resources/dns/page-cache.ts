import type { JsonTextList } from "../../core/json-text.ts";
import type { PageEnd } from "./page-walks.ts";

/** A page as it was read. */
export interface ReadPage {
  readonly records: JsonTextList;
  readonly totalCount: number;
  readonly end: PageEnd | undefined;
}

const pagesMax = 256;
/** A larger page is read each time, so that the memory of all is bounded (16 MiB). */
const textLengthMax = 64 * 1024;

/**
 * Pages that clients ask for again and again: kept from the second time on. One is true as long as its zone says the
 * same version of its records; the zone is read for every request, so a change is seen at once, whoever made it.
 */
export class PageCache {
  readonly #pages = new Map<string, { readonly version: number; readonly page: ReadPage | undefined }>();

  /** `list` names a page of a zone; `version` is what the zone said before `read` begins. */
  async get(list: string, version: number, read: () => Promise<ReadPage>): Promise<ReadPage> {
    const known = this.#pages.get(list);
    const isAskedAgain = known?.version === version;
    if (isAskedAgain && known.page !== undefined) return known.page;
    const page = await read();
    const isKept = isAskedAgain && page.records.text.length <= textLengthMax;
    this.#pages.delete(list);
    this.#pages.set(list, { version, page: isKept ? page : undefined });
    if (this.#pages.size > pagesMax) {
      const [oldest] = this.#pages.keys();
      if (oldest !== undefined) this.#pages.delete(oldest);
    }
    return page;
  }
}
