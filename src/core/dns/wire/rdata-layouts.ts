import { typeCodes } from "./codes.ts";
import { foldName, nameAt, nameToOctets } from "./names.ts";
import { octet } from "./octets.ts";
import type { WireReader } from "./reader.ts";

/** A part of the data of a type: a name, a character string, or a number of octets. */
type Part = "name" | "string" | number;

interface Layout {
  readonly parts: readonly Part[];
  /** Whether its names may be compressed when a message is written (RFC 3597 section 4). */
  readonly isCompressible: boolean;
}

const { NS, MD, MF, CNAME, SOA, MB, MG, MR, PTR, MINFO, MX, RP, AFSDB, RT, PX, SRV, NAPTR, KX, DNAME } =
  typeCodes;

/** The types whose data contains names that a message may compress. Other data is left as it is. */
const layouts = new Map<number, Layout>([
  ...[NS, MD, MF, CNAME, MB, MG, MR, PTR].map((type) => [type, compressible("name")] as const),
  [MINFO, compressible("name", "name")],
  [MX, compressible(2, "name")],
  [SOA, compressible("name", "name", 20)],
  [RP, { parts: ["name", "name"], isCompressible: false }],
  ...[AFSDB, RT, KX].map((type) => [type, { parts: [2, "name"], isCompressible: false }] as const),
  [PX, { parts: [2, "name", "name"], isCompressible: false }],
  [SRV, { parts: [6, "name"], isCompressible: false }],
  [NAPTR, { parts: [4, "string", "string", "string", "name"], isCompressible: false }],
  [DNAME, { parts: ["name"], isCompressible: false }],
]);

function compressible(...parts: Part[]): Layout {
  return { parts, isCompressible: true };
}

/** Reads the data of a record and uncompresses its names. Throws a WireError if it does not fit its type. */
export function readRdata(reader: WireReader, type: number, length: number): string {
  const layout = layouts.get(type);
  // An update refers to a whole record set by a record without data (RFC 2136).
  if (layout === undefined || length === 0) return reader.octets(length);
  return reader.within(length, () =>
    layout.parts
      .map((part) => {
        if (typeof part === "number") return reader.octets(part);
        if (part === "name") return nameToOctets(reader.name());
        const size = reader.octet();
        return octet(size) + reader.octets(size);
      })
      .join(""),
  );
}

/** The places of names that may be compressed in the data of a type. */
export function compressibleNames(
  type: number,
): { readonly before: number; readonly count: number } | undefined {
  const layout = layouts.get(type);
  if (layout?.isCompressible !== true) return undefined;
  const [first] = layout.parts;
  return {
    before: typeof first === "number" ? first : 0,
    count: layout.parts.filter((part) => part === "name").length,
  };
}

/** The data of a record with the names in it folded, as it is signed (RFC 4034 section 6.2). */
export function foldNamesIn(type: number, rdata: string): string {
  const layout = layouts.get(type);
  if (layout === undefined) return rdata;
  let at = 0;
  let folded = "";
  for (const part of layout.parts) {
    const from = at;
    if (part === "name") {
      const { name, end } = nameAt(rdata, at);
      folded += nameToOctets(foldName(name));
      at = end;
      continue;
    }
    at += typeof part === "number" ? part : 1 + rdata.charCodeAt(at);
    folded += rdata.slice(from, at);
  }
  return folded;
}
