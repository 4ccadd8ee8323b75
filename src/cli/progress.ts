/** How far a long command is. */
export interface Progress {
  readonly show: (done: number, total: number, what: string) => void;
  /** Leaves the line to what is said next. */
  readonly end: () => void;
}

const cells = 30;
const redrawMs = 100;

/**
 * Runs `work` with a bar on standard error where somebody looks on, and with nothing in a log. The bar is gone when the
 * work ends, also when it fails: what is said of that has the line to itself.
 */
export async function withProgress<T>(
  work: (progress: Progress) => Promise<T>,
  stream: Pick<NodeJS.WriteStream, "isTTY" | "write"> = process.stderr,
): Promise<T> {
  const progress = createProgress(stream);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}

function createProgress(stream: Pick<NodeJS.WriteStream, "isTTY" | "write">): Progress {
  if (!stream.isTTY) return { show: () => undefined, end: () => undefined };
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    show: (done, total, what) => {
      const now = performance.now();
      if (done < total && now - drawnAt < redrawMs) return;
      drawnAt = now;
      stream.write(`\r\u001b[K${renderProgress(done, total, what)}`);
    },
    end: () => void stream.write("\r\u001b[K"),
  };
}

/** `[##########----------]  50 %  1,000 of 2,000 zones` */
export function renderProgress(done: number, total: number, what: string): string {
  const part = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(part * cells);
  const percent = String(Math.floor(part * 100)).padStart(3);
  const counts = `${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  return `[${"#".repeat(full)}${"-".repeat(cells - full)}] ${percent} %  ${counts} ${what}`;
}
