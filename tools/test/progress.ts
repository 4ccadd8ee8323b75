const slowestShown = 10;
/** Files from one line to the next where no terminal replaces them. */
const filesPerLine = 50;

/** Tells how many files of tests have ended, and which took longest. */
export class Progress {
  readonly #files: ReadonlySet<string>;
  readonly #milliseconds = new Map<string, number>();
  readonly #startedAt = performance.now();
  #failed = 0;

  constructor(files: readonly string[]) {
    this.#files = new Set(files);
  }

  fileEnded(file: string, milliseconds: number, hasPassed: boolean): void {
    // A process that ends before its time is told of by its program.
    if (!this.#files.has(file)) return;
    this.#milliseconds.set(file, milliseconds);
    if (!hasPassed) this.#failed += 1;
    if (process.stdout.isTTY) process.stdout.write(`\r\u001B[K${this.#line()}`);
    else if (this.#milliseconds.size % filesPerLine === 0) process.stdout.write(`${this.#line()}\n`);
  }

  hasEnded(file: string): boolean {
    return this.#milliseconds.has(file);
  }

  /** In place of the line of the progress, which comes again. */
  print(text: string): void {
    process.stdout.write(process.stdout.isTTY ? `\r\u001B[K${text}` : text);
  }

  printSlowest(): void {
    const slowest = [...this.#milliseconds].toSorted(([, one], [, other]) => other - one);
    const lines = slowest
      .slice(0, slowestShown)
      .map(([file, milliseconds]) => `${(milliseconds / 1_000).toFixed(1).padStart(7)} s  ${file}\n`);
    this.print(`The files that took longest:\n${lines.join("")}`);
  }

  #line(): string {
    const seconds = Math.round((performance.now() - this.#startedAt) / 1_000);
    const failed = this.#failed === 0 ? "" : `, ${this.#failed} failed`;
    return `${this.#milliseconds.size} of ${this.#files.size} files${failed}, ${seconds} s`;
  }
}
