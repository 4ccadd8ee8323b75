/** What may be known already, as a kept answer is: a promise around it would cost more than to find it. */
export type Soon<Value> = Value | Promise<Value>;

/** Goes on with `value`, at once where there is nothing to wait for. */
export function soon<Value, Next>(value: Soon<Value>, next: (value: Value) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Runs `work`. What it throws, at once or later, becomes what `recover` makes of it. */
export function recovering<Value>(work: () => Soon<Value>, recover: (error: unknown) => Value): Soon<Value> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(recover) : value;
  } catch (error) {
    return recover(error);
  }
}
