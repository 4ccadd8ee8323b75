import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { domainToASCII } from "node:url";

const wildcards: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/**
 * The names and addresses by which clients may reach a server that listens on `host`: those of the machine
 * itself, `host`, and where that is a wildcard the machine's host name and all of its addresses.
 */
export function hostsToCover(host: string): readonly string[] {
  const reachable = wildcards.has(host) ? [host, hostname(), ...machineAddresses()] : [host];
  const hosts = ["localhost", "127.0.0.1", "::1", ...reachable].map(canonicalHost);
  return [...new Set(hosts)].filter((name) => name !== "");
}

/** Whether clients that check the server's identity (RFC 9525) accept `certificate` for every host. */
export function coversHosts(certificate: X509Certificate, hosts: readonly string[]): boolean {
  return hosts.every(
    (host) => (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined,
  );
}

function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address }) => address),
  );
}

/**
 * The form of a host in a certificate: names in ASCII, and addresses without a zone; anything else becomes
 * empty.
 */
function canonicalHost(host: string): string {
  return isIP(host) === 0 ? domainToASCII(host) : host.replace(/%.*$/, "");
}
