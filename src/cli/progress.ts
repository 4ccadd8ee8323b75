export interface Progress {
  readonly show: (done: number, total: number, what: string) => void;
  readonly end: () => void;
}

const cells = 30;
const redrawMs = 100;

/**
 * Runs `work` with a progress bar on standard error if that is a terminal. The bar is removed when the work
 * ends or fails, so that the next message has the line to itself.
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

/** Draws `[##########----------]  50 %  1,000 of 2,000 zones`. */
export function renderProgress(done: number, total: number, what: string): string {
  const part = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(part * cells);
  const percent = String(Math.floor(part * 100)).padStart(3);
  const counts = `${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  return `[${"#".repeat(full)}${"-".repeat(cells - full)}] ${percent} %  ${counts} ${what}`;
}
