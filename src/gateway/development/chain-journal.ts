import { mkdirSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";

/** One block of the development chain. */
interface JournalEntry {
  /** Seconds since the epoch. */
  readonly time: number;
  /** The signed transaction of the block, in hexadecimal. */
  readonly transaction: string;
  /** What it used. Entries of earlier versions lack it. */
  readonly gas?: number;
}

/** The transactions of a chain in order, from which it can be rebuilt. */
export interface ChainJournal {
  /** The entries that existed when it was opened. */
  readonly entries: readonly JournalEntry[];
  /** Resolves when the entry is durable. */
  readonly append: (entry: JournalEntry) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A journal that is not stored. */
export const journalInMemory: ChainJournal = {
  entries: [],
  append: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Opens the journal in `file`, one line of JSON per entry. Creates the file and its directory if they are missing. */
export async function openJournal(file: string): Promise<ChainJournal> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, "a", 0o600);
  const { entries, bytes } = readEntries(readFileSync(file));
  let size = bytes;
  // The transaction of an incomplete line was never answered.
  await handle.truncate(size);
  return {
    entries,
    append: async (entry) => {
      const line = `${JSON.stringify(entry)}\n`;
      try {
        await handle.appendFile(line);
        await handle.datasync();
      } catch (error) {
        // The next entry must not follow half a line.
        await handle.truncate(size);
        throw error;
      }
      size += Buffer.byteLength(line);
    },
    close: () => handle.close(),
  };
}

/** The entries up to the first line that is not one, and their length. */
function readEntries(content: Buffer): { readonly entries: JournalEntry[]; readonly bytes: number } {
  const entries: JournalEntry[] = [];
  let bytes = 0;
  for (let end = content.indexOf(10); end !== -1; end = content.indexOf(10, bytes)) {
    const entry = parseEntry(content.toString("utf8", bytes, end));
    if (entry === undefined) break;
    entries.push(entry);
    bytes = end + 1;
  }
  return { entries, bytes };
}

function parseEntry(line: string): JournalEntry | undefined {
  try {
    const { time, transaction, gas } = JSON.parse(line) as Partial<JournalEntry>;
    if (!Number.isSafeInteger(time) || typeof transaction !== "string") return undefined;
    const entry = { time: time as number, transaction };
    return Number.isSafeInteger(gas) ? { ...entry, gas: gas as number } : entry;
  } catch {
    return undefined;
  }
}
