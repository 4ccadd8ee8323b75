import { isWithin, isHostname, toAsciiName } from "../../core/dns/name.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidRequest } from "../../core/error.ts";

const hostOctetsMax = 253;

/**
 * The hosts of an order in ASCII, each once: names within the zone, including its own, with an optional `*.` in front.
 * Errors: 400 code 1452 with a pointer to the first invalid one.
 */
export function parseHosts(hosts: readonly string[], zoneName: string): string[] {
  const parsed = hosts.map((host, index) => {
    const name = toAsciiName(host);
    const base = name?.startsWith("*.") === true ? name.slice(2) : name;
    if (name === undefined || base === undefined || !isHostname(base)) {
      throw invalidHosts(`\`hosts/${index}\`: must be a host name`, `/hosts/${index}`);
    }
    if (!isWithin(base, zoneName)) {
      throw invalidHosts(`\`hosts/${index}\`: must be within the zone ${zoneName}`, `/hosts/${index}`);
    }
    return name;
  });
  if (!parsed.includes(zoneName)) throw invalidHosts(`\`hosts\`: must contain ${zoneName}`, "/hosts");
  return [...new Set(parsed)];
}

/** The hosts of the universal pack, without the wildcard where it would be too long. */
export function universalHosts(zoneName: string): string[] {
  return [zoneName, `*.${zoneName}`].filter((host) => host.length <= hostOctetsMax);
}

/** 400 code 1452. */
export function invalidHosts(rule: string, pointer: string): AppError {
  return invalidRequest(errorCodes.certificatePacks.invalidHosts, `Invalid body ${rule}`, pointer);
}
