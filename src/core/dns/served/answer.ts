import { rcodes, typeCodes, typeName } from "../wire/codes.ts";
import type { Question } from "../wire/message.ts";
import { foldName, nameAt } from "../wire/names.ts";
import { addAddressesOf, addGlue } from "./additional.ts";
import { addressesOf } from "./flattening.ts";
import type { RecordSet } from "./record-sets.ts";
import type { Answer } from "./sections.ts";
import { chainMax, type Sources, type Wanted } from "./sources.ts";
import type { Finding, ZoneView } from "./zone-view.ts";

/**
 * Answers a question of class IN as RFC 1034 section 4.3.2 and RFC 4592 have it. `allAtOnce` answers a question for ANY with
 * every record set of the name, else with one (RFC 8482 section 4.1).
 */
export function answerQuestion(
  question: Pick<Question, "name" | "type">,
  sources: Sources,
  allAtOnce: boolean,
): Answer | Wanted {
  const { type } = question;
  const { explain } = sources;
  const answer: Answer = {
    rcode: rcodes.NOERROR,
    isAuthoritative: false,
    answers: [],
    authorities: [],
    additionals: [],
    additionalsNeeded: 0,
    zone: undefined,
    source: "",
    isLasting: true,
  };
  let owner = question.name;
  for (let step = 0; step <= chainMax; step += 1) {
    const name = foldName(owner);
    const zone = zoneFor(name, type, sources);
    if (zone === undefined) {
      explain?.(`${owner} is in no zone that is served here`);
      if (step === 0) answer.rcode = rcodes.REFUSED;
      return answer;
    }
    const finding = zone.find(name);
    explain?.(`${owner} is in the zone ${zone.name}`);
    if (step === 0) {
      answer.zone = zone;
      answer.isAuthoritative = true;
      answer.source = sourceOf(finding, name, zone);
    }
    if (finding.kind === "missing") {
      explain?.(`${owner} does not exist, and no wildcard stands for it`);
      answer.rcode = rcodes.NXDOMAIN;
      addNegative(answer, zone);
      return answer;
    }
    if (finding.kind === "cut" && !(type === typeCodes.DS && finding.cut === name)) {
      explain?.(`${finding.cut} is delegated`);
      if (step === 0) answer.isAuthoritative = false;
      refer(answer, zone, finding);
      return answer;
    }
    const isOfWildcard = finding.kind === "name" && finding.wildcard !== undefined;
    if (isOfWildcard) explain?.(`the wildcard ${finding.wildcard} stands for ${owner}`);
    const { node } = finding;

    if (node.flattened !== undefined && needsAddresses(type, node.sets)) {
      const found = addressesOf(node.flattened, type === typeCodes.AAAA ? type : typeCodes.A, sources);
      if ("name" in found) return found;
      answer.isLasting = false;
      if (found.rcode !== rcodes.NOERROR) fail(answer, found.rcode);
      else if (found.set.rdatas.length > 0) answer.answers.push({ name: owner, set: found.set });
      else addNegative(answer, zone);
      return answer;
    }
    // A wildcard delegates nothing: what it would stand for is undefined (RFC 4592 section 4.2).
    const sets = isOfWildcard ? node.sets.filter((set) => set.type !== typeCodes.NS) : node.sets;
    if (type === typeCodes.ANY && sets.length > 0) {
      for (const set of allAtOnce ? sets : sets.slice(0, 1)) answer.answers.push({ name: owner, set });
      return answer;
    }
    const set = setOf(sets, type);
    if (set !== undefined) {
      explain?.(`${owner} has ${set.rdatas.length} ${typeName(type)}, TTL ${set.ttl}`);
      answer.answers.push({ name: owner, set });
      addAddressesOf(answer, set, sources);
      return answer;
    }
    const cname = setOf(sets, typeCodes.CNAME);
    if (cname === undefined) {
      explain?.(
        sets.length === 0
          ? `${owner} has no records, names below it have`
          : `${owner} has no ${typeName(type)}`,
      );
      addNegative(answer, zone);
      return answer;
    }
    answer.answers.push({ name: owner, set: cname });
    const target = nameAt(cname.rdatas[0] ?? "\0", 0).name;
    explain?.(`${owner} is a CNAME for ${target}`);
    // Whoever follows a loop further finds only what is answered already.
    if (answer.answers.some(({ name: known }) => foldName(known) === foldName(target))) return answer;
    owner = target;
  }
  return answer;
}

function zoneFor(name: string, type: number, { zoneOf }: Sources): ZoneView | undefined {
  const zone = zoneOf(name, false);
  return type === typeCodes.DS && zone?.name === name ? (zoneOf(name, true) ?? zone) : zone;
}

function sourceOf(finding: Finding, name: string, zone: ZoneView): string {
  if (finding.kind === "missing") return zone.name;
  return finding.kind === "cut" ? finding.cut : (finding.wildcard ?? name);
}

/** Whether the answer are addresses of a flattened CNAME; to ANY, only where there is nothing else. */
function needsAddresses(type: number, sets: readonly RecordSet[]): boolean {
  return type === typeCodes.A || type === typeCodes.AAAA || (type === typeCodes.ANY && sets.length === 0);
}

function setOf(sets: readonly RecordSet[], type: number): RecordSet | undefined {
  for (const set of sets) if (set.type === type) return set;
  return undefined;
}

function addNegative(answer: Answer, zone: ZoneView): void {
  answer.authorities.push({ name: zone.name, set: zone.negativeSoa });
}

function refer(answer: Answer, zone: ZoneView, { node, cut }: Extract<Finding, { kind: "cut" }>): void {
  const servers = setOf(node.sets, typeCodes.NS);
  if (servers === undefined) return;
  answer.authorities.push({ name: cut, set: servers });
  addGlue(answer, servers, zone, cut);
}

function fail(answer: Answer, rcode: number): void {
  answer.rcode = rcode;
  answer.isAuthoritative = false;
}
