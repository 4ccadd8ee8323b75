/** Ordered by priority, the highest first. */
interface Prioritized {
  readonly id: string;
  readonly priority: number;
}

/**
 * The priorities that have to change for one of a list, the highest first, to stand at another place: as few as the
 * others allow.
 */
export function movedPriorities(
  list: readonly Prioritized[],
  id: string,
  to: number,
): readonly Prioritized[] {
  const moved = list.find((one) => one.id === id);
  if (moved === undefined) return [];
  const order = list.filter((one) => one.id !== id).toSpliced(to, 0, moved);
  const changed: Prioritized[] = [];
  let below = 0;
  for (const { id: next, priority } of order.toReversed()) {
    const wanted = next !== id && priority > below ? priority : below + 1;
    if (wanted !== priority) changed.push({ id: next, priority: wanted });
    below = wanted;
  }
  return changed;
}
