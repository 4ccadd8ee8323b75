import { isDiscardAddress, originRule } from "../../../../src/core/net/origin-address.ts";
import type { CertificatePack } from "../../../../src/resources/certificate-packs/schema.ts";
import type { CustomCertificate } from "../../../../src/resources/custom-certificates/schema.ts";
import type { ZoneDnsSettings } from "../../../../src/resources/dns-settings/schema.ts";
import type { DnsRecord } from "../../../../src/resources/dns-records/schema.ts";
import type { Edges } from "../../../../src/resources/edges/schema.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import type { Answer } from "../../api/send.ts";
import { counted } from "../../components/counted.ts";

/** Has to hold before visitors meet the rules of a zone. */
export interface Condition {
  readonly title: string;
  readonly isMet: boolean;
  readonly text: string;
  /** The page on which it is mended. */
  readonly to?: { readonly path: string; readonly label: string };
}

/** The known facts of a zone; undefined while they are loaded, and where they may not be read. */
interface KnownOfZone {
  readonly zone: Pick<Zone, "status" | "paused">;
  readonly edges: Edges | undefined;
  readonly proxied: Pick<Answer<readonly DnsRecord[]>, "result" | "result_info"> | undefined;
  readonly packs: readonly Pick<CertificatePack, "status">[] | undefined;
  /** Needed where no pack is active. */
  readonly customs: readonly Pick<CustomCertificate, "status">[] | undefined;
  readonly mode: ZoneDnsSettings["zone_mode"] | undefined;
  /** Value of the setting; needed where an edge listens for HTTPS. */
  readonly ssl: unknown;
}

/** In the order in which a request meets them; what is not known is left out. */
export function conditionsOf(known: KnownOfZone): readonly Condition[] {
  const { zone, edges, packs, customs, mode, proxied, ssl } = known;
  return [
    edges && edgeCondition(edges),
    zoneCondition(zone),
    proxied && namesCondition(proxied, mode),
    certificateCondition(packs, customs),
    edges && proxied && originCondition(edges, proxied.result),
    edges && sslCondition(edges, ssl),
  ].filter((condition) => condition !== undefined);
}

function edgeCondition({ edges }: Edges): Condition {
  const running = edges.filter(
    ({ status, http, https }) => status === "running" && http.length + https.length > 0,
  );
  const judges = edges.filter(({ status, judge }) => status === "running" && judge.length > 0);
  const behind = running.filter(({ configuration_as_of }) => configuration_as_of !== null).length;
  if (running.length === 0 && judges.length === 0)
    return {
      title: "An edge runs",
      isMet: false,
      text: "None does: what this zone says is stored, and no visitor meets it.",
    };
  const text =
    running.length > 0
      ? `${counted(running.length, "edge serves", "edges serve")} visitors`
      : "None serves visitors; other proxies ask what rules make of their requests";
  return {
    title: "An edge runs",
    isMet: behind === 0,
    text: behind === 0 ? `${text}.` : `${text}; ${behind} of them may serve an older state of the zone.`,
  };
}

function zoneCondition({ status, paused }: KnownOfZone["zone"]): Condition {
  const title = "The zone is active";
  const to = { path: "/zones/$zoneId", label: "Overview" };
  if (status !== "active")
    return { title, isMet: false, text: `It is ${status}: edges serve active zones only.`, to };
  return paused
    ? { title, isMet: false, text: "It is paused: requests are forwarded without being judged.", to }
    : { title, isMet: true, text: "It is active, and not paused." };
}

function namesCondition(
  { result, result_info }: NonNullable<KnownOfZone["proxied"]>,
  mode: KnownOfZone["mode"],
): Condition {
  const title = "Names lead to the edge";
  const count = result_info?.total_count ?? result.length;
  if (count === 0)
    return {
      title,
      isMet: false,
      text: "No record is proxied: visitors go past the edge.",
      to: { path: "/zones/$zoneId/dns", label: "DNS records" },
    };
  if (mode === "dns_only")
    return {
      title,
      isMet: false,
      text: "The mode of the zone is DNS only: proxied records are answered with their own content.",
      to: { path: "/zones/$zoneId/dns/settings", label: "DNS settings" },
    };
  return { title, isMet: true, text: `${counted(count, "proxied record")}.` };
}

function certificateCondition(
  packs: KnownOfZone["packs"],
  customs: KnownOfZone["customs"],
): Condition | undefined {
  const isMet = [packs, customs].some((all) => all?.some(({ status }) => status === "active"));
  if (!isMet && (packs === undefined || customs === undefined)) return undefined;
  return {
    title: "There is a certificate",
    isMet,
    text: isMet
      ? "Names that no active certificate covers are refused over HTTPS."
      : "None is active: HTTPS ends before a request is made.",
    to: { path: "/zones/$zoneId/ssl", label: "Certificates" },
  };
}

function originCondition(
  { origin_networks }: Edges,
  records: readonly Pick<DnsRecord, "type" | "name" | "content">[],
): Condition {
  const mayBeOrigin = originRule(origin_networks);
  const refused = records.filter(
    ({ type, content }) => type !== "CNAME" && !mayBeOrigin(content) && !isDiscardAddress(content),
  );
  const [first] = refused;
  return {
    title: "Origins may be asked",
    isMet: first === undefined,
    text:
      first === undefined
        ? "The addresses of all proxied records may be those of origins."
        : `${first.name} has ${first.content}${refused.length > 1 ? `, and ${counted(refused.length - 1, "more record has", "more records have")} such an address` : ""}: no public one, and none in edge_origin_networks. Visitors get error 1002.`,
  };
}

const sslTexts: Readonly<Record<string, string>> = {
  off: "Off: visitors of HTTPS are led to HTTP, and origins are asked over HTTP.",
  flexible: "Flexible: origins are asked over HTTP, whatever visitors use.",
  full: "Full: origins are asked as visitors ask; their certificates are not checked.",
  strict: "Strict: origins are asked as visitors ask, and need a valid certificate.",
};

/** Whether a visitor can connect over HTTPS. */
export function listensForHttps({ edges }: Edges): boolean {
  return edges.some(({ status, https }) => status === "running" && https.length > 0);
}

function sslCondition(edges: Edges, ssl: unknown): Condition | undefined {
  const title = "Visitors can use HTTPS";
  if (!listensForHttps(edges)) return { title, isMet: false, text: "No edge listens for HTTPS." };
  if (typeof ssl !== "string") return undefined;
  return {
    title,
    isMet: ssl !== "off",
    text: sslTexts[ssl] ?? `The setting SSL is ${ssl}.`,
    to: { path: "/zones/$zoneId/settings", label: "Zone settings" },
  };
}
