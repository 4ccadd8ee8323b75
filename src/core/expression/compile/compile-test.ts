import type { IpItem, LiteralSet, Literal, OrderingOperator, Test } from "../ast.ts";
import type { RequestContext, Value } from "../context.ts";
import { addressBits, compareAddresses, sameAddress, type IpAddress } from "../../net/ip-address.ts";
import { isInRange, networkOf, type IpRange } from "../../net/ip-range.ts";
import type { Patterns } from "../engines.ts";
import { parseWildcard, wildcardTest } from "../wildcard.ts";

/** Whether a value of a type that the parser has checked passes a test. */
type ValueTest = (value: Value, context: RequestContext) => boolean;

/** Throws a PatternError. */
export function compileTest(test: Test, patterns: Patterns): ValueTest {
  switch (test.kind) {
    case "is true":
      return (value) => value === true;
    case "ordering":
      return orderingTest(test.operator, test.literal);
    case "bitwise and":
      return maskTest(test.mask);
    case "contains": {
      const { value: part } = test.part;
      return (value) => (value as string).includes(part);
    }
    case "matches": {
      const regex = patterns.get(test.pattern.text);
      return (value) => regex.isMatch(value as string);
    }
    case "wildcard": {
      const wildcard = parseWildcard(test.pattern.value, Number.POSITIVE_INFINITY);
      // The parser has refused invalid ones.
      const matches = wildcardTest("issue" in wildcard ? [] : wildcard, test.operator !== "wildcard");
      return (value) => matches(value as string);
    }
    case "in set":
      return setTest(test.set);
    case "in list": {
      const { list } = test;
      return (value, { lists }) => lists.get(list)?.(value) === true;
    }
  }
}

function orderingTest(operator: OrderingOperator, literal: Literal): ValueTest {
  if (literal.kind === "ip") return addressOrderingTest(operator, literal.value);
  // Values are safe integers: rounding a larger literal changes no comparison.
  const bound = literal.kind === "int" ? Number(literal.value) : literal.value;
  switch (operator) {
    case "eq":
      return (value) => value === bound;
    case "ne":
      return (value) => value !== bound;
    case "lt":
      return (value) => (value as typeof bound) < bound;
    case "le":
      return (value) => (value as typeof bound) <= bound;
    case "gt":
      return (value) => (value as typeof bound) > bound;
    case "ge":
      return (value) => (value as typeof bound) >= bound;
  }
}

// Addresses of different families are unordered: only `ne` holds.
function addressOrderingTest(operator: OrderingOperator, bound: IpAddress): ValueTest {
  if (operator === "eq") return (value) => sameAddress(value as IpAddress, bound);
  if (operator === "ne") return (value) => !sameAddress(value as IpAddress, bound);
  const passes = orderOf[operator];
  return (value) => {
    const address = value as IpAddress;
    return address.version === bound.version && passes(compareAddresses(address, bound));
  };
}

const orderOf: Readonly<Record<Exclude<OrderingOperator, "eq" | "ne">, (order: number) => boolean>> = {
  lt: (order) => order < 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
};

function maskTest(mask: bigint): ValueTest {
  if (mask >= 0n && mask < 2n ** 31n) {
    const bits = Number(mask);
    return (value) => ((value as number) & bits) !== 0;
  }
  return (value) => (BigInt(value as number) & mask) !== 0n;
}

/** The values of a set without ranges; undefined for one with ranges. */
function membersOf(set: LiteralSet): Value[] | undefined {
  if (set.kind === "bytes") return set.items.map(({ value }) => value);
  if (set.kind === "ip" || set.items.some(({ first, last }) => first !== last)) return undefined;
  return set.items.map(({ first }) => Number(first));
}

function setTest(set: LiteralSet): ValueTest {
  const members = membersOf(set);
  if (members !== undefined) {
    const all = new Set(members);
    return (value) => all.has(value);
  }
  return set.kind === "ip" ? addressSetTest(set.items) : intSetTest(set);
}

function intSetTest(set: LiteralSet): ValueTest {
  const items = set.kind === "int" ? set.items : [];
  const ranges = items.map(({ first, last }) => ({ first: Number(first), last: Number(last) }));
  return (value) => {
    const number = value as number;
    for (const { first, last } of ranges) if (number >= first && number <= last) return true;
    return false;
  };
}

function addressSetTest(items: readonly IpItem[]): ValueTest {
  const ranges = [4, 6].map((version) =>
    merged(items.map(rangeOf).filter(({ first }) => first.version === version)),
  );
  const [ofVersion4 = [], ofVersion6 = []] = ranges;
  const [only] = ofVersion4;
  if (ofVersion6.length === 0 && ofVersion4.length === 1 && only !== undefined) {
    return (value) => isInRange(value as IpAddress, only);
  }
  return (value) => {
    const address = value as IpAddress;
    return isInOne(address.version === 4 ? ofVersion4 : ofVersion6, address);
  };
}

function rangeOf(item: IpItem): IpRange {
  if (item.kind === "range") return item;
  return networkOf(item.address, item.kind === "network" ? item.bits : addressBits(item.address));
}

function merged(ranges: readonly IpRange[]): IpRange[] {
  const result: IpRange[] = [];
  for (const range of ranges.toSorted((one, other) => compareAddresses(one.first, other.first))) {
    const before = result.at(-1);
    if (before === undefined || compareAddresses(before.last, range.first) < 0) result.push(range);
    else if (compareAddresses(before.last, range.last) < 0) {
      result[result.length - 1] = { first: before.first, last: range.last };
    }
  }
  return result;
}

function isInOne(ranges: readonly IpRange[], address: IpAddress): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const range = ranges[middle];
    if (range === undefined || compareAddresses(address, range.first) < 0) high = middle;
    else if (compareAddresses(address, range.last) > 0) low = middle + 1;
    else return true;
  }
  return false;
}
