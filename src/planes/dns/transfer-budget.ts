import { WireError } from "../../core/dns/wire/octets.ts";

/** What one transfer has taken of the memory for transfers. */
export interface TransferSpending {
  /** Counts octets that arrived. Throws a WireError above the share of the account, and where all transfers have too many. */
  readonly spend: (octets: number) => void;
  /** Gives back what was counted: what arrived has been stored, or thrown away. */
  readonly end: () => void;
}

/** Bounds what transfers hold in memory: all together, and those of each account, so that one leaves room for others. */
export class TransferBudget {
  readonly #octetsMax: number;
  readonly #ofAccountMax: number;
  readonly #spent = new Map<string, number>();
  #all = 0;

  constructor(octetsMax: number, ofAccountMax: number) {
    this.#octetsMax = octetsMax;
    this.#ofAccountMax = ofAccountMax;
  }

  open(accountId: string): TransferSpending {
    let own = 0;
    return {
      spend: (octets) => {
        const ofAccount = (this.#spent.get(accountId) ?? 0) + octets;
        if (ofAccount > this.#ofAccountMax)
          throw new WireError("the transfers of the account have too many octets");
        if (this.#all + octets > this.#octetsMax)
          throw new WireError("all transfers together have too many octets");
        own += octets;
        this.#all += octets;
        this.#spent.set(accountId, ofAccount);
      },
      end: () => {
        this.#all -= own;
        const left = (this.#spent.get(accountId) ?? 0) - own;
        if (left > 0) this.#spent.set(accountId, left);
        else this.#spent.delete(accountId);
        own = 0;
      },
    };
  }
}
