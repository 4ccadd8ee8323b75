import { rcodes, typeCodes, typeName } from "../wire/codes.ts";
import type { Question } from "../wire/message.ts";
import { foldName, nameAt, nameToOctets, isAtOrBelow } from "../wire/names.ts";
import { redirectionOf, addressesOf } from "./aliases.ts";
import {
  proveMissing,
  proveNoAddresses,
  proveNoData,
  proveWildcard,
  signedNegativeSoa,
  withPassingSignature,
  withSignature,
} from "./proofs.ts";
import type { OwnedSet, RecordSet } from "../wire/record-data.ts";
import { type Answer, chainMax, type Sources, type Wanted } from "./sources.ts";
import type { Finding } from "./zone-nodes.ts";
import type { ZoneView } from "./zone-view.ts";

/**
 * Answers a question of class IN by the algorithms of RFC 1034 section 4.3.2 and RFC 4592. With `allAtOnce`,
 * a question for ANY gets every record set of the name, else only one (RFC 8482 section 4.1).
 */
export function answerQuestion(
  question: Pick<Question, "name" | "type">,
  sources: Sources,
  allAtOnce: boolean,
): Answer | Wanted {
  const { type } = question;
  const { explain, isSecure = false } = sources;
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
  /** Names that were looked up: a chain that returns to one of them is a loop, and ends. */
  const asked = new Set<string>();
  for (let step = 0; step <= chainMax; step += 1) {
    const name = foldName(owner);
    if (asked.has(name)) return answer;
    asked.add(name);
    const zone = zoneFor(name, type, sources);
    if (zone === undefined) {
      explain?.(`${owner} is in no zone that is served here`);
      if (step === 0) answer.rcode = rcodes.REFUSED;
      return answer;
    }
    if (!zone.isAvailable) {
      explain?.(`${owner} is in the zone ${zone.name}, which has expired or cannot be signed`);
      if (step === 0) Object.assign(answer, { zone, rcode: rcodes.SERVFAIL });
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
      addNegative(answer, zone, isSecure ? proveMissing(zone, name) : undefined);
      return answer;
    }
    if (finding.kind === "cut" && !(type === typeCodes.DS && finding.cut === name)) {
      explain?.(`${finding.cut} is delegated`);
      if (step === 0) answer.isAuthoritative = false;
      refer(answer, zone, finding, isSecure);
      return answer;
    }
    if (finding.kind === "redirected") {
      const target = redirect(answer, zone, owner, finding, isSecure);
      explain?.(`${finding.from} has a DNAME record: ${owner} is ${target ?? "too long there"}`);
      if (target === undefined || type === typeCodes.CNAME || type === typeCodes.ANY) return answer;
      owner = target;
      continue;
    }
    const { node } = finding;
    const wildcard = finding.kind === "name" ? finding.wildcard : undefined;
    if (wildcard !== undefined) explain?.(`the wildcard ${wildcard} stands for ${owner}`);
    const source = wildcard ?? name;
    const add = (set: RecordSet): void => {
      if (!isSecure) answer.answers.push({ name: owner, set });
      else answer.answers.push(...withSignature(zone, owner, source, set));
    };
    const addNoData = (): void =>
      addNegative(answer, zone, isSecure ? proveNoData(zone, name, wildcard) : undefined);
    const addNoCloser = (): void => {
      if (isSecure && wildcard !== undefined) addNew(answer.authorities, proveWildcard(zone, name));
    };

    if (node.flattened !== undefined && needsAddresses(type, node.sets)) {
      const sought = type === typeCodes.AAAA ? type : typeCodes.A;
      const found = addressesOf(node.flattened, sought, sources);
      if ("name" in found) return found;
      answer.isLasting = false;
      if (found.rcode !== rcodes.NOERROR) {
        // A client that ignores the response code would take the CNAMEs found so far for a complete answer.
        answer.answers.length = 0;
        answer.authorities.length = 0;
        fail(answer, found.rcode);
      } else if (found.set.rdatas.length > 0) {
        if (!isSecure) answer.answers.push({ name: owner, set: found.set });
        else answer.answers.push(...withPassingSignature(zone, owner, source, found.set, node.flattened.ttl));
        addNoCloser();
      } else {
        addNegative(answer, zone, isSecure ? proveNoAddresses(zone, name, wildcard, sought) : undefined);
      }
      return answer;
    }
    // A wildcard delegates nothing: what it would stand for is undefined (RFC 4592 section 4.2).
    const sets = wildcard !== undefined ? node.sets.filter((set) => set.type !== typeCodes.NS) : node.sets;
    if (type === typeCodes.ANY && sets.length > 0) {
      // Signatures are added where they are asked for.
      const signed = sets.filter((set) => set.type !== typeCodes.RRSIG);
      for (const set of allAtOnce ? signed : signed.slice(0, 1)) add(set);
      addNoCloser();
      return answer;
    }
    const set = setOf(sets, type);
    const found =
      set === undefined || type === typeCodes.RRSIG ? signersSets(zone, source, sets, type) : [set];
    if (found.length > 0) {
      for (const { rdatas, ttl } of found)
        explain?.(`${owner} has ${rdatas.length} ${typeName(type)}, TTL ${ttl}`);
      found.forEach(add);
      addNoCloser();
      if (set !== undefined) addAddressesOf(answer, set, sources);
      return answer;
    }
    const cname = setOf(sets, typeCodes.CNAME);
    if (cname === undefined) {
      explain?.(
        sets.length === 0
          ? `${owner} has no records, names below it have`
          : `${owner} has no ${typeName(type)}`,
      );
      addNoData();
      return answer;
    }
    add(cname);
    addNoCloser();
    const target = nameAt(cname.rdatas[0] ?? "\0", 0).name;
    explain?.(`${owner} is a CNAME for ${target}`);
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
  if (finding.kind === "redirected") return finding.from;
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

/**
 * Sets that a signed zone has of a name besides its records. Signatures have the TTLs of what they sign (RFC 4034
 * section 3).
 */
function signersSets(
  zone: ZoneView,
  name: string,
  sets: readonly RecordSet[],
  type: number,
): readonly RecordSet[] {
  if (zone.signer === undefined)
    return type === typeCodes.RRSIG ? sets.filter((set) => set.type === type) : [];
  if (type !== typeCodes.NSEC && type !== typeCodes.RRSIG) return [];
  // Records with hashed names are not for asking (RFC 5155 section 7.2.8).
  const denial = zone.signer.mechanism.type === typeCodes.NSEC ? zone.denials?.matching(name) : undefined;
  const denials = denial === undefined ? [] : [denial.set];
  if (type === typeCodes.NSEC) return denials;
  return [...sets, ...denials].flatMap((set) => zone.signatureOf(name, set) ?? []);
}

/** `proof` is undefined where nobody asked for it. */
function addNegative(answer: Answer, zone: ZoneView, proof: readonly OwnedSet[] | undefined): void {
  if (proof === undefined) answer.authorities.push({ name: zone.name, set: zone.negativeSoa });
  else addNew(answer.authorities, [...signedNegativeSoa(zone), ...proof]);
}

/** Each step of a chain of CNAMEs may need the same proof. */
function addNew(to: OwnedSet[], added: readonly OwnedSet[]): void {
  for (const one of added) {
    if (!to.some(({ name, set }) => name === one.name && set === one.set)) to.push(one);
  }
}

function refer(
  answer: Answer,
  zone: ZoneView,
  { node, cut }: Extract<Finding, { kind: "cut" }>,
  isSecure: boolean,
): void {
  const servers = setOf(node.sets, typeCodes.NS);
  if (servers === undefined) return;
  answer.authorities.push({ name: cut, set: servers });
  if (isSecure) {
    const signers = setOf(node.sets, typeCodes.DS);
    answer.authorities.push(
      ...(signers === undefined ? proveNoData(zone, cut, undefined) : withSignature(zone, cut, cut, signers)),
    );
  }
  addGlue(answer, servers, zone, cut, isSecure);
}

/**
 * Answers with a DNAME record and the CNAME that it stands for (RFC 6672 section 3.1). Returns the target; undefined
 * if it were too long.
 */
function redirect(
  answer: Answer,
  zone: ZoneView,
  owner: string,
  finding: Extract<Finding, { kind: "redirected" }>,
  isSecure: boolean,
): string | undefined {
  const redirection = redirectionOf(owner, finding);
  if (redirection === undefined) return undefined;
  const { dname, target } = redirection;
  const { from } = finding;
  addNew(answer.answers, isSecure ? withSignature(zone, from, from, dname) : [{ name: from, set: dname }]);
  if (target === undefined) {
    answer.rcode = rcodes.YXDOMAIN;
    return undefined;
  }
  const cname = { type: typeCodes.CNAME, ttl: dname.ttl, rdatas: [nameToOctets(target)] };
  answer.answers.push({ name: owner, set: cname });
  return target;
}

function fail(answer: Answer, rcode: number): void {
  answer.rcode = rcode;
  answer.isAuthoritative = false;
}

/**
 * Offset of the target name in the data of the types whose targets' addresses go into the additional section.
 */
const targetAt = new Map<number, number>([
  [typeCodes.NS, 0],
  [typeCodes.MX, 2],
  [typeCodes.SVCB, 2],
  [typeCodes.HTTPS, 2],
  [typeCodes.SRV, 6],
]);

const addressTypes = [typeCodes.A, typeCodes.AAAA];
/** Targets whose addresses are added, where nobody needs them to go on. */
const targetsMax = 16;

/** Adds the addresses of the targets of `set` that our zones have. */
function addAddressesOf(answer: Answer, set: RecordSet, { zoneOf, isSecure }: Sources): void {
  const before = targetAt.get(set.type);
  if (before === undefined) return;
  for (const target of targetsOf(set, before).slice(0, targetsMax)) {
    const zone = zoneOf(target, false);
    const finding = zone?.find(target);
    if (zone === undefined || finding?.kind !== "name") continue;
    const source = finding.wildcard ?? target;
    for (const found of finding.node.sets) {
      if (!addressTypes.includes(found.type as 1)) continue;
      if (isSecure === true) answer.additionals.push(...withSignature(zone, target, source, found));
      else answer.additionals.push({ name: target, set: found });
    }
  }
}

/**
 * Adds the addresses of a delegation's name servers. Those of all servers below the cut come first: a resolver
 * cannot find them otherwise ([RFC 9471 section 3.1](https://www.rfc-editor.org/rfc/rfc9471#section-3.1)).
 */
function addGlue(answer: Answer, servers: RecordSet, zone: ZoneView, cut: string, isSecure: boolean): void {
  const inZone = targetsOf(servers, 0).filter((server) => isAtOrBelow(server, zone.name));
  const isNeeded = (server: string): boolean => isAtOrBelow(server, cut);
  const others = inZone.filter((server) => !isNeeded(server)).slice(0, targetsMax);
  for (const server of [...inZone.filter(isNeeded), ...others]) {
    for (const type of addressTypes) {
      const set = zone.storedSet(server, type);
      if (set === undefined) continue;
      // `withSignature` adds a signature only to names above the cut: glue is not signed.
      if (isSecure) answer.additionals.push(...withSignature(zone, server, server, set));
      else answer.additionals.push({ name: server, set });
      if (isNeeded(server)) answer.additionalsNeeded += 1;
    }
  }
}

function targetsOf({ rdatas }: RecordSet, before: number): string[] {
  const targets = rdatas.map((rdata) => foldName(nameAt(rdata, before).name));
  return [...new Set(targets)].filter((target) => target !== ".");
}
