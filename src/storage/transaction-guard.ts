import { AsyncLocalStorage } from "node:async_hooks";

const insideTransaction = new AsyncLocalStorage<true>();

/** Runs `work` so that `refuseInsideTransaction` throws within it. */
export function guardTransaction<T>(work: () => Promise<T>): Promise<T> {
  refuseInsideTransaction();
  return insideTransaction.run(true, work);
}

/**
 * Throws inside of a transaction, where the outer database must not be used: a query on it would see the
 * state before the transaction, or wait for itself forever.
 */
export function refuseInsideTransaction(): void {
  if (insideTransaction.getStore() === true) {
    throw new Error("the outer database was used inside a transaction: use the `tx` that was passed in");
  }
}
