import { primaryOf, timesOf, type ZoneApex } from "../served/apex.ts";
import { isProxiableType } from "../content/proxiable.ts";
import type { RecordType } from "../content/record-types.ts";
import { printAttributes, tagsOfSettings } from "./attributes.ts";
import { printData, isQuotedText, printText, quotedTextComment } from "./record-data.ts";

/** The data of the head of a zone file. */
export interface PrintableZone extends ZoneApex {
  /** ISO 8601, UTC. */
  readonly exportedOn: string;
}

/** A record as the API answers it. */
export interface PrintableRecord {
  readonly name: string;
  /** Absent where it is not known. */
  readonly zone_name?: string;
  readonly type: RecordType;
  readonly content: string;
  readonly priority?: number;
  readonly ttl: number;
  /** Undefined leaves it out of the file: the importer then decides. */
  readonly proxied?: boolean | undefined;
  readonly comment: string | null;
  readonly tags: readonly string[];
  readonly settings: Readonly<Record<string, boolean>>;
}

/**
 * The beginning of a zone file (RFC 1035 section 5): comments, the SOA and NS records. `recordPrinter` prints
 * the rest. Names have final dots and there is no `$ORIGIN`. `parseZoneFile` reads back all but these NS
 * records.
 */
export function printZoneHead(zone: PrintableZone): string {
  const { name, nameServers, hostmaster, serial, exportedOn } = zone;
  const { refresh, retry, expire, minimum, soaTtl, nameServerTtl } = timesOf(zone);
  return [
    ";;",
    `;; Domain:     ${name}.`,
    `;; Exported:   ${exportedOn.slice(0, "2000-01-01T00:00:00".length).replace("T", " ")}`,
    ";;",
    ";; A TTL of 1 is automatic. The address of a proxied record is that of its origin.",
    ";;",
    ";; SOA Record",
    `${name}.\t${soaTtl}\tIN\tSOA\t${primaryOf(zone)}. ${hostmaster}. ${serial} ${refresh} ${retry} ${expire} ${minimum}`,
    "",
    ";; NS Records",
    ...nameServers.map((server) => `${name}.\t${nameServerTtl}\tIN\tNS\t${server}.`),
    "",
  ].join("\n");
}

interface RecordPrinter {
  /** Returns the lines of a record, with the heading of its section if that begins. */
  readonly print: (record: PrintableRecord) => string;
  readonly section: string;
}

/**
 * Prints records under a heading wherever the type changes; pass `section` to continue after another printer.
 * A TTL of 1 (automatic) stays 1.
 */
export function recordPrinter(section = ""): RecordPrinter {
  let current = section;
  return {
    print: (record) => {
      const heading = headingOf(record);
      const isNew = heading !== current;
      current = heading;
      return `${isNew ? `\n${heading}\n` : ""}${printRecord(record)}\n`;
    },
    get section() {
      return current;
    },
  };
}

function headingOf({ type, content }: PrintableRecord): string {
  return type === "TXT" && isQuotedText(content) ? quotedTextComment : `;; ${type} Records`;
}

function printRecord({ name, type, content, priority, ttl, ...record }: PrintableRecord): string {
  const data = type === "TXT" ? printText(content) : printData(type, content, priority);
  const special = [
    ...tagsOfSettings(record.settings),
    ...(isProxiableType(type) && record.proxied !== undefined ? [`cf-proxied:${record.proxied}`] : []),
  ];
  // Without the marker, an NS record of the apex would be taken for one of those that every zone has.
  const isMarked = type === "NS" && name === record.zone_name;
  const attributes = printAttributes(record.comment, record.tags, special, isMarked);
  return `${name}.\t${ttl}\tIN\t${type}\t${data}${attributes}`;
}
