/** Work that becomes due with time. */
export interface TimedWork {
  /** The earliest time at which anything becomes due; undefined where nothing will. */
  readonly nextDue: () => Promise<Date | undefined>;
  /** Does what is due now. */
  readonly round: () => Promise<void>;
}

/** Where a clock stands. */
export interface ClockState {
  /** Milliseconds since 1970; null for a clock that runs. */
  readonly frozenAt: number | null;
  /** Milliseconds by which a clock that runs is ahead of the machine's. */
  readonly aheadMs: number;
}

/** Between two stops of a move there is at least this share of it, so that no move takes for ever. */
const stopsMax = 1_000;
/** What becomes due by being done, such as the steps of one order, is done this often at one time. */
const roundsAtOnce = 10;

/** The clock of a server that tests may stop and move. */
export class TestClock {
  readonly #machine: () => Date;
  #frozenAt: number | undefined;
  #aheadMs = 0;

  /** Frozen at `start`, if it is given; `machine` is the clock that it follows otherwise. */
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

  /** Goes on from where the clock stands. */
  resume(): void {
    if (this.#frozenAt === undefined) return;
    this.#aheadMs = this.#frozenAt - this.#machine().getTime();
    this.#frozenAt = undefined;
  }

  /** Milliseconds since 1970 on the machine's own clock. */
  machineTime(): number {
    return this.#machine().getTime();
  }

  /** Moves the clock, forward through every time at which something becomes due, and does that. */
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
