import type { IntRange, IpItem, LiteralSet } from "./ast.ts";
import { addressBits, compareAddresses, sameAddress } from "../net/ip-address.ts";
import { networkOf } from "../net/ip-range.ts";
import { readAddressCharacters, readBytes, readInt, toAddress } from "./literals.ts";
import type { Reader } from "./reader.ts";
import type { ScalarType } from "./value-type.ts";

/** `{...}` with items of a type. Throws ExpressionError. */
export function readSet(reader: Reader, type: Exclude<ScalarType, "Bool">): LiteralSet {
  if (type === "Int") return { kind: "int", items: readItems(reader, readIntRange) };
  if (type === "Ip") return { kind: "ip", items: readItems(reader, readIpItem) };
  return { kind: "bytes", items: readItems(reader, readBytes) };
}

function readItems<Item>(reader: Reader, readItem: (reader: Reader) => Item): Item[] {
  reader.expect("{");
  const items: Item[] = [];
  for (;;) {
    reader.skipSpace();
    if (reader.take("}")) return items;
    items.push(readItem(reader));
  }
}

function readIntRange(reader: Reader): IntRange {
  const start = reader.position;
  const first = readInt(reader);
  const last = reader.take("..") ? readInt(reader) : first;
  if (last < first) throw reader.error("incompatible range bounds", start, reader.position);
  return { first, last };
}

function readIpItem(reader: Reader): IpItem {
  const start = reader.position;
  const text = readAddressCharacters(reader);
  const dots = text.indexOf("..");
  if (dots !== -1) {
    const first = toAddress(reader, text.slice(0, dots), start);
    const last = toAddress(reader, text.slice(dots + 2), start + dots + 2);
    if (first.version !== last.version || compareAddresses(first, last) > 0) {
      throw reader.error("incompatible range bounds", start, reader.position);
    }
    return { kind: "range", first, last };
  }
  const slash = text.lastIndexOf("/");
  if (slash === -1) return { kind: "address", address: toAddress(reader, text, start) };
  return readNetwork(reader, { text, slash, start });
}

const lengthOctetMax = 255;

function readNetwork(
  reader: Reader,
  { text, slash, start }: { text: string; slash: number; start: number },
): IpItem {
  const address = toAddress(reader, text.slice(0, slash), start);
  const length = text.slice(slash + 1);
  const bits = Number(length);
  const issue = lengthIssue(length, bits);
  if (issue !== undefined) {
    const reason = `couldn't parse length in network: ${issue}`;
    throw reader.error(reason, start + slash + 1, reader.position);
  }
  const bitsMax = addressBits(address);
  if (bits > bitsMax) {
    const reason = `Network length ${bits} is too long for Ipv${address.version} (maximum: ${bitsMax})`;
    throw reader.error(`invalid length for network: ${reason}`, start, reader.position);
  }
  if (!sameAddress(networkOf(address, bits).first, address)) {
    throw reader.error("host part of address was not zero", start, start + slash);
  }
  return { kind: "network", address, bits };
}

function lengthIssue(length: string, bits: number): string | undefined {
  if (length === "") return "cannot parse integer from empty string";
  if (!/^[0-9]+$/.test(length)) return "invalid digit found in string";
  return bits > lengthOctetMax ? "number too large to fit in target type" : undefined;
}
