import type { JsonPage } from "../../core/page.ts";
import type { PageEnd } from "./page-walks.ts";

/** A page as it was read. */
export interface ReadPage extends JsonPage {
  readonly end: PageEnd | undefined;
}

/** What is asked before a page is read, so that a change meanwhile makes the page an old one. */
interface Versions {
  /** Of the records of its zone. */
  readonly zone: number;
  /** Of the whole store; undefined where it has none. */
  readonly store: number | undefined;
}

interface Entry {
  readonly zoneVersion: number;
  storeVersion: number | undefined;
  readonly page: ReadPage | undefined;
}

const pagesMax = 256;
/** A larger page is read each time, so that the memory of all is bounded (16 MiB). */
const textLengthMax = 64 * 1024;

/**
 * Pages that clients ask for again and again: kept from the second time on. One is true as long as the store says the
 * same version of everything, else as long as its zone says the same version of its records.
 */
export class PageCache {
  readonly #entries = new Map<string, Entry>();

  /** The page that `list` names, where nothing was changed since it was last known to be true. */
  peek(list: string, storeVersion: number | undefined): ReadPage | undefined {
    const known = this.#entries.get(list);
    return storeVersion !== undefined && known?.storeVersion === storeVersion ? known.page : undefined;
  }

  /** The page that `list` names, from `read` where the zone was changed. */
  async get(list: string, versions: Versions, read: () => Promise<ReadPage>): Promise<ReadPage> {
    const known = this.#entries.get(list);
    const isAskedAgain = known?.zoneVersion === versions.zone;
    if (isAskedAgain && known.page !== undefined) {
      known.storeVersion = versions.store;
      return known.page;
    }
    const page = await read();
    const isKept = isAskedAgain && page.items.text.length <= textLengthMax;
    const kept = isKept ? { ...page, isKept } : undefined;
    this.#entries.delete(list);
    this.#entries.set(list, { zoneVersion: versions.zone, storeVersion: versions.store, page: kept });
    if (this.#entries.size > pagesMax) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    return kept ?? page;
  }
}
