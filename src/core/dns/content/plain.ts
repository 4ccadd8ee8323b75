import { errorCodes } from "../../error-codes.ts";
import { type ErrorDetail, AppError, joinErrors } from "../../error.ts";
import { canonicalIpv4, canonicalIpv6 } from "../../net/ip-address.ts";
import { base64Octets, parseBase64, readPriority } from "./fields.ts";
import type { PlainType, Rdata, RdataInput } from "./record-types.ts";
import { parseTarget, parseTargetOrRoot, targetOctets } from "./name.ts";
import { parseText, textOctets, textStrings } from "./character-string.ts";
import { contentTooLong, dnsError, emptyContent, invalidContent, octetsMax } from "./dns-error.ts";

/** Reads a type whose record is one text. */
interface PlainRule {
  /** The canonical content, or undefined when the text does not fit. */
  readonly parse: (text: string, zoneName: string) => string | undefined;
  /** Octets of canonical content on the wire. */
  readonly octets: (content: string) => number;
  /** White space around the text is part of the content. */
  readonly isVerbatim?: true;
  readonly hasPriority?: true;
  /** Blank content is invalid content, and no error of its own. */
  readonly isEmptyUnfit?: true;
  /** The error for content that does not fit, if it is not 9007. */
  readonly error?: ErrorDetail;
  /** Equal for two contents exactly if they are the same DNS record; by default the content. */
  readonly identity?: (content: string) => unknown;
}

const target = { parse: parseTarget, octets: targetOctets };

export const plainRules: Readonly<Record<PlainType, PlainRule>> = {
  A: {
    parse: canonicalIpv4,
    octets: () => 4,
    error: {
      code: errorCodes.dnsRecords.invalidIpv4Address,
      message: "Content for A record must be a valid IPv4 address.",
    },
  },
  AAAA: {
    parse: canonicalIpv6,
    octets: () => 16,
    error: {
      code: errorCodes.dnsRecords.invalidIpv6Address,
      message: "Content for AAAA record must be a valid IPv6 address.",
    },
  },
  CNAME: target,
  MX: {
    parse: parseTargetOrRoot,
    octets: (content) => 2 + targetOctets(content),
    hasPriority: true,
    isEmptyUnfit: true,
    error: {
      code: errorCodes.dnsRecords.invalidMailHost,
      message:
        "Change the content of your MX record to be a hostname (and not an IP address). For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/how-to/email-records/#add-mx-records>.",
    },
  },
  NS: target,
  OPENPGPKEY: { parse: parseBase64, octets: base64Octets },
  PTR: target,
  TXT: { parse: parseText, octets: textOctets, isVerbatim: true, identity: textStrings },
};

/** A record that is one text, with a priority where the type has one. Errors as in `parseRdata`. */
export function parsePlain(type: PlainType, rule: PlainRule, input: RdataInput, zoneName: string): Rdata {
  const content = readContent(type, rule, input.content ?? "", zoneName);
  const priority = rule.hasPriority ? readPriority(input.priority) : undefined;
  if (priority instanceof AppError) {
    throw content instanceof AppError ? joinErrors([priority, content]) : priority;
  }
  if (content instanceof AppError) throw content;
  return priority === undefined ? { content } : { content, priority };
}

function readContent(type: PlainType, rule: PlainRule, given: unknown, zoneName: string): string | AppError {
  const text = typeof given === "string" ? given.trim() : undefined;
  if (text === "" && !rule.isEmptyUnfit) return emptyContent(type);
  const content =
    text === undefined ? undefined : rule.parse(rule.isVerbatim ? String(given) : text, zoneName);
  if (content === undefined) {
    return rule.error ? dnsError(rule.error.code, rule.error.message, "/content") : invalidContent(type);
  }
  return rule.octets(content) > octetsMax ? contentTooLong("/content") : content;
}
