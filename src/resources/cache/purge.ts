import { toAsciiName } from "../../core/dns/name.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import type { PlanName } from "../zones/zones.ts";
import type { PurgeCacheBody } from "./schema.ts";

/** The zone that is purged. */
interface PurgedZone {
  readonly name: string;
  readonly plan: PlanName;
}

/** One way to say what to purge: a list of some kind, its bounds, and the codes of the refusals. */
interface ListForm {
  readonly itemsMax: Readonly<Record<PlanName, number>>;
  readonly tooMany: number;
  /** Refuses a plan that does not have this form. */
  readonly enterpriseOnly?: number;
  readonly noun: string;
  readonly check: (item: unknown, zone: PurgedZone, pointer: string) => void;
}

const thirty = { free: 30, pro: 30, business: 30, enterprise: 30 };

const listForms = {
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
} as const satisfies Record<string, ListForm>;

type ListName = keyof typeof listForms;
const listNames = Object.keys(listForms) as ListName[];
const quotedNames = '"files", "tags", "hosts" or "prefixes"';

const tagLengthMax = 1024;
const hostLengthMax = 200;
const shownLengthMax = 200;

/**
 * Throws unless the body says exactly one thing to purge, in a form that the plan has. Codes of the public
 * service, but for 1117 and 1118 (prefixes), which are ours.
 */
export function checkPurge(body: PurgeCacheBody, zone: PurgedZone): void {
  const lists = listNames.filter((name) => isGiven(body[name]));
  const everything = isGiven(body.purge_everything);
  if (everything && body.purge_everything !== true) {
    throw refusal(errorCodes.purge.everythingNotTrue, "'purge_everything' must be true", "/purge_everything");
  }
  if (everything && lists.length > 0) {
    throw refusal(
      errorCodes.purge.severalWays,
      `Request cannot contain "purge_everything" and any of ${quotedNames}`,
    );
  }
  if (lists.length > 1)
    throw refusal(errorCodes.purge.severalWays, `Request cannot contain more than one of ${quotedNames}`);
  const [name] = lists;
  if (name !== undefined) checkList(name, body[name], zone);
  else if (!everything) {
    throw refusal(errorCodes.purge.nothing, `Request must contain one of "purge_everything", ${quotedNames}`);
  }
}

/** What a body that was checked says to purge, and nothing else that it holds: headers of a file may be private. */
export function purgedParts(body: PurgeCacheBody): Readonly<Record<string, unknown>> {
  if (isGiven(body.purge_everything)) return { purge_everything: true };
  return Object.fromEntries(
    listNames.flatMap((name) => {
      const items = body[name];
      return isGiven(items) && Array.isArray(items)
        ? [[name, items.map((item: unknown) => (isObject(item) ? item["url"] : item))]]
        : [];
    }),
  );
}

/** Some clients send every field, the unused ones empty. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function checkList(name: ListName, items: unknown, zone: PurgedZone): void {
  const form: ListForm = listForms[name];
  if (!Array.isArray(items))
    throw refusal(errorCodes.purge.wrongForm, `"${name}" must be an array`, `/${name}`);
  if (form.enterpriseOnly !== undefined && zone.plan !== "enterprise") {
    throw refusal(form.enterpriseOnly, `Only enterprise zones can purge by ${form.noun}.`, `/${name}`);
  }
  const itemsMax = form.itemsMax[zone.plan];
  if (items.length > itemsMax) {
    const message = `Exceeded maximum amount of ${itemsMax} ${name} that can be purged on a single request`;
    throw refusal(form.tooMany, message, `/${name}`);
  }
  for (const [index, item] of items.entries()) form.check(item, zone, `/${name}/${index}`);
}

function checkFile(file: unknown, zone: PurgedZone, pointer: string): void {
  const { url, headers } = isObject(file) ? file : { url: file, headers: undefined };
  const hasHeaders =
    headers === undefined ||
    (isObject(headers) && Object.values(headers).every((value) => typeof value === "string"));
  if (typeof url !== "string" || !hasHeaders || !URL.canParse(url)) {
    throw refusal(errorCodes.purge.invalidUrl, `Unable to purge '${shown(url)}'.`, pointer);
  }
  const { protocol, hostname } = new URL(url);
  if (!["http:", "https:"].includes(protocol) || !isWithin(zone.name, hostname)) {
    throw refusal(
      errorCodes.purge.urlOfOtherZone,
      `Unable to purge '${shown(url)}'. You can only purge files for this zone`,
      pointer,
    );
  }
}

function checkTag(tag: unknown, _: PurgedZone, pointer: string): void {
  if (typeof tag !== "string" || tag === "")
    throw refusal(errorCodes.purge.wrongForm, "Tag must be a text", pointer);
  if (tag.length > tagLengthMax) {
    throw refusal(
      errorCodes.purge.tagTooLong,
      `Tag exceeds maximum length of ${tagLengthMax} characters`,
      pointer,
    );
  }
}

function checkHost(host: unknown, zone: PurgedZone, pointer: string): void {
  if (typeof host !== "string") throw refusal(errorCodes.purge.invalidHost, "Invalid host", pointer);
  if (host.length > hostLengthMax) {
    throw refusal(
      errorCodes.purge.hostTooLong,
      `Host exceeds maximum length of ${hostLengthMax} characters`,
      pointer,
    );
  }
  if (!isWithin(zone.name, toAsciiName(host)))
    throw refusal(errorCodes.purge.invalidHost, "Invalid host", pointer);
}

function checkPrefix(prefix: unknown, zone: PurgedZone, pointer: string): void {
  const host = typeof prefix === "string" && !/[?#\s]/.test(prefix) ? prefix.split("/", 1)[0] : undefined;
  if (host === undefined || !isWithin(zone.name, toAsciiName(host))) {
    throw refusal(
      errorCodes.purge.invalidHost,
      "Invalid prefix: must be a host name of this zone and a path, without a scheme",
      pointer,
    );
  }
}

function isWithin(zoneName: string, name: string | undefined): boolean {
  return name !== undefined && (name === zoneName || name.endsWith(`.${zoneName}`));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(url: unknown): string {
  return typeof url === "string" ? url.slice(0, shownLengthMax) : "";
}

function refusal(code: number, message: string, pointer?: string): AppError {
  return new AppError("invalid", code, message, pointer === undefined ? {} : { pointer });
}
