import { AsyncLocalStorage } from "node:async_hooks";

const insideTransaction = new AsyncLocalStorage<true>();

/** Runs `work` so that `refuseInsideTransaction` throws within it. */
export function guardTransaction<T>(work: () => Promise<T>): Promise<T> {
  refuseInsideTransaction();
  return insideTransaction.run(true, work);
}

/**
 * Throws if code inside of a transaction uses the outer database: it would read the state before the transaction, or
 * wait for itself for ever.
 */
export function refuseInsideTransaction(): void {
  if (insideTransaction.getStore() === true) {
    throw new Error("the outer database was used inside a transaction: use the `tx` that was passed in");
  }
}
