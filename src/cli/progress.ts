/** How far a long command is. */
export interface Progress {
  readonly show: (done: number, total: number, what: string) => void;
  /** Leaves the line to what is said next. */
  readonly end: () => void;
}

const cells = 30;
const redrawMs = 100;

/** A bar on standard error where somebody looks on; nothing in a log. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
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
