import { isJsonObject } from "../../core/json.ts";
import { isWithin, toAsciiName } from "../../core/dns/content/name.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";
import type { PlanName } from "../zones/zones.ts";
import type { PurgeCacheBody } from "./schema.ts";

interface PurgedZone {
  readonly name: string;
  readonly plan: PlanName;
}

/** One of the lists of a body: its bounds and the codes of its errors. */
interface PurgeKind {
  readonly itemsMax: Readonly<Record<PlanName, number>>;
  readonly tooMany: number;
  /** Code of the error below Enterprise. */
  readonly enterpriseOnly?: number;
  readonly noun: string;
  readonly check: (item: unknown, zone: PurgedZone, pointer: string) => void;
}

const thirty = { free: 30, pro: 30, business: 30, enterprise: 30 };

const purgeKinds = {
  files: {
    itemsMax: { ...thirty, enterprise: 500 },
    tooMany: errorCodes.purge.tooManyFiles,
    noun: "file",
    check: checkFile,
  },
  tags: {
    itemsMax: thirty,
    tooMany: errorCodes.purge.tooManyTags,
    enterpriseOnly: errorCodes.purge.tagsEnterpriseOnly,
    noun: "tag",
    check: checkTag,
  },
  hosts: {
    itemsMax: thirty,
    tooMany: errorCodes.purge.tooManyHosts,
    enterpriseOnly: errorCodes.purge.hostsEnterpriseOnly,
    noun: "host",
    check: checkHost,
  },
  prefixes: {
    itemsMax: thirty,
    tooMany: errorCodes.purge.tooManyPrefixes,
    enterpriseOnly: errorCodes.purge.prefixesEnterpriseOnly,
    noun: "prefix",
    check: checkPrefix,
  },
} as const satisfies Record<string, PurgeKind>;

type ListName = keyof typeof purgeKinds;
const listNames = Object.keys(purgeKinds) as ListName[];
const quotedNames = '"files", "tags", "hosts" or "prefixes"';

const tagLengthMax = 1024;
const hostLengthMax = 200;
const shownLengthMax = 200;

/**
 * Throws unless the body says what to purge, in a kind that the plan allows: everything, or files, tags,
 * hosts and prefixes in any combination. The codes are those of the public service, except 1117 and 1118
 * (prefixes).
 */
export function checkPurge(body: PurgeCacheBody, zone: PurgedZone): void {
  const lists = listNames.filter((name) => isGiven(body[name]));
  const everything = isGiven(body.purge_everything);
  if (everything && body.purge_everything !== true) {
    throw invalidRequest(
      errorCodes.purge.everythingNotTrue,
      "'purge_everything' must be true",
      "/purge_everything",
    );
  }
  if (everything && lists.length > 0) {
    throw invalidRequest(
      errorCodes.purge.severalWays,
      `Request cannot contain "purge_everything" and any of ${quotedNames}`,
    );
  }
  for (const name of lists) checkList(name, body[name], zone);
  if (lists.length === 0 && !everything) {
    throw invalidRequest(
      errorCodes.purge.nothing,
      `Request must contain one of "purge_everything", ${quotedNames}`,
    );
  }
}

/** The parts that a checked body purges, without the headers of files, which may be private. */
export function purgedParts(body: PurgeCacheBody): Readonly<Record<string, unknown>> {
  if (isGiven(body.purge_everything)) return { purge_everything: true };
  return Object.fromEntries(
    listNames.flatMap((name) => {
      const items = body[name];
      return isGiven(items) && Array.isArray(items)
        ? [[name, items.map((item: unknown) => (isJsonObject(item) ? item["url"] : item))]]
        : [];
    }),
  );
}

/** Some clients send every field, the unused ones empty. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function checkList(name: ListName, items: unknown, zone: PurgedZone): void {
  const kind: PurgeKind = purgeKinds[name];
  if (!Array.isArray(items))
    throw invalidRequest(errorCodes.purge.wrongForm, `"${name}" must be an array`, `/${name}`);
  if (kind.enterpriseOnly !== undefined && zone.plan !== "enterprise") {
    throw invalidRequest(kind.enterpriseOnly, `Only enterprise zones can purge by ${kind.noun}.`, `/${name}`);
  }
  const itemsMax = kind.itemsMax[zone.plan];
  if (items.length > itemsMax) {
    const message = `Exceeded maximum amount of ${itemsMax} ${name} that can be purged on a single request`;
    throw invalidRequest(kind.tooMany, message, `/${name}`);
  }
  for (const [index, item] of items.entries()) kind.check(item, zone, `/${name}/${index}`);
}

function checkFile(file: unknown, zone: PurgedZone, pointer: string): void {
  const { url, headers } = isJsonObject(file) ? file : { url: file, headers: undefined };
  const hasHeaders =
    headers == null ||
    (isJsonObject(headers) && Object.values(headers).every((value) => typeof value === "string"));
  if (typeof url !== "string" || !hasHeaders || !URL.canParse(url)) {
    throw invalidRequest(errorCodes.purge.invalidUrl, `Unable to purge '${shown(url)}'.`, pointer);
  }
  const { protocol, hostname } = new URL(url);
  if (!["http:", "https:"].includes(protocol) || !isWithin(hostname, zone.name)) {
    throw invalidRequest(
      errorCodes.purge.urlOfOtherZone,
      `Unable to purge '${shown(url)}'. You can only purge files for this zone`,
      pointer,
    );
  }
}

function checkTag(tag: unknown, _: PurgedZone, pointer: string): void {
  if (typeof tag !== "string" || tag === "")
    throw invalidRequest(errorCodes.purge.wrongForm, "Tag must be a text", pointer);
  if (tag.length > tagLengthMax) {
    throw invalidRequest(
      errorCodes.purge.tagTooLong,
      `Tag exceeds maximum length of ${tagLengthMax} characters`,
      pointer,
    );
  }
}

function checkHost(host: unknown, zone: PurgedZone, pointer: string): void {
  if (typeof host !== "string") throw invalidRequest(errorCodes.purge.invalidHost, "Invalid host", pointer);
  if (host.length > hostLengthMax) {
    throw invalidRequest(
      errorCodes.purge.hostTooLong,
      `Host exceeds maximum length of ${hostLengthMax} characters`,
      pointer,
    );
  }
  if (!isWithin(toAsciiName(host) ?? "", zone.name))
    throw invalidRequest(errorCodes.purge.invalidHost, "Invalid host", pointer);
}

function checkPrefix(prefix: unknown, zone: PurgedZone, pointer: string): void {
  const host = typeof prefix === "string" && !/[?#\s]/.test(prefix) ? prefix.split("/", 1)[0] : undefined;
  if (host === undefined || !isWithin(toAsciiName(host) ?? "", zone.name)) {
    throw invalidRequest(
      errorCodes.purge.invalidHost,
      "Invalid prefix: must be a host name of this zone and a path, without a scheme",
      pointer,
    );
  }
}

function shown(url: unknown): string {
  return typeof url === "string" ? url.slice(0, shownLengthMax) : "";
}
