import { mkdirSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";

/** One block of the development chain: its time in seconds since the epoch, and the transaction that made it. */
interface JournalEntry {
  readonly time: number;
  /** Signed, as it was sent. */
  readonly transaction: string;
}

/** The transactions of a chain in their order, so that it can be made again. */
export interface ChainJournal {
  /** What was written before. */
  readonly entries: readonly JournalEntry[];
  /** Answers when the entry is durable. */
  readonly append: (entry: JournalEntry) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A journal that is forgotten at the end. */
export const journalInMemory: ChainJournal = {
  entries: [],
  append: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Opens the journal in `file`, a JSON line for each entry; it and its directory are made where they are missing. */
export async function openJournal(file: string): Promise<ChainJournal> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, "a", 0o600);
  const { entries, bytes } = readEntries(readFileSync(file));
  let size = bytes;
  // A line that a crash cut short was never answered.
  await handle.truncate(size);
  return {
    entries,
    append: async (entry) => {
      const line = `${JSON.stringify(entry)}\n`;
      try {
        await handle.appendFile(line);
        await handle.datasync();
      } catch (error) {
        // What comes later must not stand behind half a line.
        await handle.truncate(size);
        throw error;
      }
      size += Buffer.byteLength(line);
    },
    close: () => handle.close(),
  };
}

/** The entries up to the first line that is none, and how many bytes they take. */
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
    const { time, transaction } = JSON.parse(line) as Partial<JournalEntry>;
    return Number.isSafeInteger(time) && typeof transaction === "string"
      ? { time: time as number, transaction }
      : undefined;
  } catch {
    return undefined;
  }
}
