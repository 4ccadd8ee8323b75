import assert from "node:assert/strict";
import { test } from "node:test";

import { TransferBudget } from "./incoming-transfers.ts";

test("transfers of an account have a share of the octets, and give back what they took", () => {
  const budget = new TransferBudget(100, 40);
  const [first, second, other] = [budget.open("a"), budget.open("a"), budget.open("b")];
  first.spend(30);
  assert.throws(() => second.spend(11), /of the account/);
  second.spend(10);
  other.spend(40);
  const third = budget.open("c");
  third.spend(20);
  assert.throws(() => third.spend(1), /all transfers/);
  first.end();
  third.spend(20);
  second.spend(10);
  assert.throws(() => second.spend(1), /all transfers/);
  for (const one of [first, second, third, other]) one.end();
  budget.open("d").spend(40);
});
