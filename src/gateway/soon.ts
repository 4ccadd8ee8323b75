/** What may be known already, as a kept answer is: a promise around it would cost more than to find it. */
export type Soon<Value> = Value | Promise<Value>;

/** Continues with `value`, synchronously if it is not a promise. */
export function soon<Value, Next>(value: Soon<Value>, next: (value: Value) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Runs `work`; `recover` turns whatever it throws, at once or later, into the result. */
export function recovering<Value>(work: () => Soon<Value>, recover: (error: unknown) => Value): Soon<Value> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(recover) : value;
  } catch (error) {
    return recover(error);
  }
}
