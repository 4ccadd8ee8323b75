import type { ZoneSigning } from "../../src/core/dns/dnssec/zone-signer.ts";
import { parseRdata } from "../../src/core/dns/content/rdata.ts";
import type { RecordType } from "../../src/core/dns/content/record-types.ts";
import { answerQuestion } from "../../src/core/dns/served/answer.ts";
import { edgeSets, type ServingRules, type StoredRecord } from "../../src/core/dns/served/record-sets.ts";
import type { OwnedSet } from "../../src/core/dns/wire/record-data.ts";
import type { OutsideAddresses } from "../../src/core/dns/served/sources.ts";
import { ZoneIndex } from "../../src/core/dns/served/zone-index.ts";
import { ZoneView } from "../../src/core/dns/served/zone-view.ts";
import { rcodeName, typeCodes, typeName } from "../../src/core/dns/wire/codes.ts";
import { nameAt } from "../../src/core/dns/wire/names.ts";
import { octetsToHex, twoOctetsAt } from "../../src/core/dns/wire/octets.ts";

const edge = edgeSets(["192.0.2.80", "2001:db8::80"]);
const rulesDefault: ServingRules = { edge, flattensAll: false };

/**
 * A served zone of `name type content`; a number after the type is a priority, words behind a `;` are settings, and
 * `proxied`.
 */
export function zone(
  name: string,
  written: readonly string[],
  rules: Partial<ServingRules> = {},
  signing?: ZoneSigning,
): ZoneView {
  const apex = { name, nameServers: ["ns1.test.net", "ns2.test.net"], hostmaster: "dns.test.net", serial: 7 };
  const view = new ZoneView(apex, { ...rulesDefault, ...rules }, signing);
  const byName = new Map<string, StoredRecord[]>();
  for (const line of written) {
    const [, owner = "", ttl = "1", type = "", priority, content = "", words = ""] =
      /^(\S+) (?:(\d+) )?([A-Z]+) (?:(\d+) (?=\S+$))?([^;]*?)(?: ?; ?(.*))?$/.exec(line) ?? [];
    const rdata = parseRdata(
      type as RecordType,
      {
        content: type === "SRV" ? `${priority} ${content}` : content,
        ...(priority && { priority: Number(priority) }),
      },
      name,
    );
    const full = owner === "@" ? name : `${owner}.${name}`;
    const settings = Object.fromEntries(words.split(" ").map((word) => [word, true]));
    const record = {
      ...rdata,
      type: type as RecordType,
      ttl: Number(ttl),
      proxied: "proxied" in settings,
      settings,
    };
    byName.set(full, [...(byName.get(full) ?? []), record]);
  }
  for (const [full, records] of byName) view.setRecords(full, records);
  return view;
}

/** Found addresses of names outside, by name and type. */
export type Outside = Readonly<Record<string, OutsideAddresses>>;

/** The answer, in the words of a zone file; a line begins with its section unless that is `answer`. */
export function ask(
  zones: readonly ZoneView[],
  question: string,
  outside: Outside = {},
  { allAtOnce = false, isSecure = false } = {},
): string[] {
  const [name = "", type = "A"] = question.split(" ");
  const index = new ZoneIndex();
  for (const view of zones) index.set(view);
  const answer = answerQuestion(
    { name, type: typeCodes[type as keyof typeof typeCodes] },
    {
      zoneOf: (folded, isAbove) => index.enclosing(folded, isAbove),
      isSecure,
      outside: (folded, code) => outside[`${folded} ${typeName(code)}`] ?? "unknown",
    },
    allAtOnce,
  );
  if ("name" in answer) return [`wanted ${answer.name} ${typeName(answer.type)}`];
  const { rcode, isAuthoritative, answers, authorities, additionals } = answer;
  return [
    `${rcodeName(rcode)}${isAuthoritative ? " aa" : ""}`,
    ...answers.flatMap((owned) => lines("", owned)),
    ...authorities.flatMap((owned) => lines("authority ", owned)),
    ...additionals.flatMap((owned, at) =>
      lines(at < answer.additionalsNeeded ? "glue " : "additional ", owned),
    ),
  ];
}

function lines(section: string, { name, set: { type, ttl, rdatas } }: OwnedSet): string[] {
  return rdatas.map((rdata) => `${section}${name} ${ttl} ${typeName(type)} ${show(type, rdata)}`);
}

function show(type: number, rdata: string): string {
  if (type === typeCodes.SOA) return "…";
  if (type === typeCodes.MX) return `${twoOctetsAt(rdata, 0)} ${nameAt(rdata, 2).name}`;
  if ([typeCodes.NS, typeCodes.CNAME].includes(type as 5)) return nameAt(rdata, 0).name;
  if (type === typeCodes.A) return Array.from(rdata, (octet) => octet.charCodeAt(0)).join(".");
  if (type === typeCodes.RRSIG) return `of ${typeName(twoOctetsAt(rdata, 0))}`;
  if (type === typeCodes.NSEC) return nameAt(rdata, 0).name;
  if (type === typeCodes.TXT) return rdata.slice(1);
  return octetsToHex(rdata);
}

/** The SOA record of a negative answer. */
export const soa = (name: string): string => `authority ${name} 3600 SOA …`;
