export interface TimedWork {
  /** The earliest time at which any work becomes due; undefined for none. */
  readonly nextDue: () => Promise<Date | undefined>;
  /** Does the work that is due now. */
  readonly round: () => Promise<void>;
}

export interface ClockState {
  /** Milliseconds since 1970; null for a clock that runs. */
  readonly frozenAt: number | null;
  /** Milliseconds by which a running clock is ahead of the machine's clock. */
  readonly aheadMs: number;
}

/** Maximum number of stops of a move, so that no move takes for ever. */
const stopsMax = 1_000;
/**
 * Maximum number of rounds at one stop, as work may become due by other work, such as the steps of one order.
 */
const roundsAtOnce = 10;

/** The clock of a server that tests may stop and move. */
export class TestClock {
  readonly #machine: () => Date;
  #frozenAt: number | undefined;
  #aheadMs = 0;

  /** `start` freezes the clock; `machine` is the clock that it follows otherwise. */
  constructor(machine: () => Date, start?: Date) {
    this.#machine = machine;
    this.#frozenAt = start?.getTime();
  }

  readonly now = (): Date => new Date(this.#frozenAt ?? this.#machine().getTime() + this.#aheadMs);

  get isFrozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  get state(): ClockState {
    return { frozenAt: this.#frozenAt ?? null, aheadMs: this.#aheadMs };
  }

  set state({ frozenAt, aheadMs }: ClockState) {
    this.#frozenAt = frozenAt ?? undefined;
    this.#aheadMs = aheadMs;
  }

  freeze(): void {
    this.#frozenAt ??= this.now().getTime();
  }

  /** Lets the clock run on from its time. */
  resume(): void {
    if (this.#frozenAt === undefined) return;
    this.#aheadMs = this.#frozenAt - this.#machine().getTime();
    this.#frozenAt = undefined;
  }

  /** Milliseconds since 1970 on the machine's own clock. */
  machineTime(): number {
    return this.#machine().getTime();
  }

  /** Moves the clock forward. It stops at every time at which work becomes due, and does that work. */
  async moveTo(target: number, work: TimedWork): Promise<void> {
    const wasFrozen = this.isFrozen;
    let at = this.now().getTime();
    const stepMin = Math.max(1, Math.ceil((target - at) / stopsMax));
    for (;;) {
      const due = await work.nextDue();
      if (due === undefined) break;
      at = Math.max(due.getTime(), at + stepMin);
      if (at >= target) break;
      this.#frozenAt = at;
      await work.round();
    }
    this.#frozenAt = target;
    for (let rounds = 0; rounds < roundsAtOnce; rounds += 1) {
      await work.round();
      const due = await work.nextDue();
      if (due === undefined || due.getTime() > target) break;
    }
    if (!wasFrozen) this.resume();
  }
}
