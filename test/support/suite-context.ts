import { after, type TestContext } from "node:test";

/**
 * Stands for a test where all tests of a `describe` share what is started: what would end with the test ends
 * with the suite. For tests that do not disturb one another.
 */
export function suiteContext(): TestContext {
  const ends: (() => unknown)[] = [];
  after(async () => {
    for (const end of ends) await end();
  });
  // All that a server or a store asks of a test is to be told its end.
  return { after: (end: () => unknown) => void ends.push(end) } as unknown as TestContext;
}
