import { ipv6Groups, type IpAddress } from "../../src/core/net/ip-address.ts";
import { parseCidr } from "../../src/core/net/ip-range.ts";

type Value = string | number | boolean | { readonly [key: string]: Value };
type Branch = [Branch | number | undefined, Branch | number | undefined];

const recordBytes = 3;
const ipv6Bits = 128;
const ipv4BitsBefore = 96;

/** A database in the MaxMind DB format, with an entry for each range; a later range may not hold an earlier one. */
export function writeMaxMindDatabase(entries: Readonly<Record<string, Value>>): Buffer {
  const root: Branch = [undefined, undefined];
  const data: Buffer[] = [];
  let dataBytes = 0;
  for (const [range, value] of Object.entries(entries)) {
    const octets = encode(value);
    insert(root, range, dataBytes);
    data.push(octets);
    dataBytes += octets.length;
  }
  const nodes = nodesOf(root);
  const recordOf = (child: Branch | number | undefined): Buffer => {
    const record = Buffer.alloc(recordBytes);
    const at =
      child === undefined
        ? nodes.length
        : typeof child === "number"
          ? nodes.length + 16 + child
          : nodes.indexOf(child);
    record.writeUIntBE(at, 0, recordBytes);
    return record;
  };
  const metadata = {
    node_count: nodes.length,
    record_size: 8 * recordBytes,
    ip_version: 6,
    database_type: "test",
  };
  return Buffer.concat([
    ...nodes.flatMap(([left, right]) => [recordOf(left), recordOf(right)]),
    Buffer.alloc(16),
    ...data,
    Buffer.from("\xab\xcd\xefMaxMind.com", "latin1"),
    encode(metadata),
  ]);
}

function insert(root: Branch, range: string, at: number): void {
  const first = parseCidr(range)?.first;
  if (first === undefined) throw new Error(`${range} is no range`);
  const bits = bitsOf(first).slice(
    0,
    Number(range.split("/")[1]) + (first.version === 4 ? ipv4BitsBefore : 0),
  );
  let branch = root;
  for (const [index, bit] of bits.entries()) {
    if (index === bits.length - 1) branch[bit] = at;
    else {
      const next = branch[bit] ?? [undefined, undefined];
      if (typeof next === "number") throw new Error(`${range} lies in an earlier range`);
      branch[bit] = next;
      branch = next;
    }
  }
}

function bitsOf(address: IpAddress): (0 | 1)[] {
  const text = ipv6Groups(address)
    .map((group) => group.toString(2).padStart(16, "0"))
    .join("");
  return Array.from(text.padStart(ipv6Bits, "0"), (bit) => (bit === "1" ? 1 : 0));
}

function nodesOf(branch: Branch): Branch[] {
  return [branch, ...branch.flatMap((child) => (Array.isArray(child) ? nodesOf(child) : []))];
}

function encode(value: Value): Buffer {
  // The extended type 14 is a boolean, whose size is its value.
  if (typeof value === "boolean") return Buffer.from([value ? 1 : 0, 7]);
  if (typeof value === "number") {
    const octets = Buffer.alloc(4);
    octets.writeUInt32BE(value);
    return Buffer.concat([Buffer.from([(6 << 5) | 4]), octets]);
  }
  if (typeof value === "string")
    return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)]);
  const pairs = Object.entries(value);
  return Buffer.concat([head(7, pairs.length), ...pairs.flatMap(([key, one]) => [encode(key), encode(one)])]);
}

const head = (type: number, size: number): Buffer =>
  size < 29 ? Buffer.from([(type << 5) | size]) : Buffer.from([(type << 5) | 29, size - 29]);
