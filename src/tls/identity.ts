import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { tmpdir, hostname, networkInterfaces } from "node:os";
import { join, dirname, resolve } from "node:path";
import { domainToASCII } from "node:url";

import { readCertificateFiles } from "./certificate-files.ts";
import { type CertifiedKey, createAuthority, issueServerCertificate, validityFrom } from "./local-ca.ts";

/** The certificate of the server, and the CA file that its clients need. */
interface TlsIdentity extends CertifiedKey {
  /** Absolute path of the local CA's certificate; undefined for a certificate that the operator brought. */
  readonly authorityFile: string | undefined;
  /** Removes files that were made for this run alone. */
  readonly discard: () => void;
}

interface TlsSettings {
  readonly tls: "off" | "self-signed";
  readonly tls_cert: string | undefined;
  readonly tls_key: string | undefined;
  readonly host: string;
  readonly data: string;
  readonly ephemeral: boolean;
}

/** Opens or makes the identity that the settings name; undefined where the server speaks plain HTTP. */
export async function openTlsIdentity(config: TlsSettings, now: Date): Promise<TlsIdentity | undefined> {
  const { tls, tls_cert: certificate, tls_key: privateKey } = config;
  if (certificate !== undefined && privateKey !== undefined) {
    const files = readCertificateFiles({ certificate, privateKey });
    return { ...files, authorityFile: undefined, discard: () => {} };
  }
  if (tls === "off") return undefined;

  const hosts = hostsToCover(config.host);
  if (config.ephemeral) {
    const { server, authorityFile, discard } = await makeTemporarySelfSigned(hosts, now);
    return { ...server, authorityFile, discard };
  }
  const { server, authorityFile } = await openSelfSigned(join(config.data, "tls"), hosts, now);
  return { ...server, authorityFile, discard: () => {} };
}

/** A server's certificate by a CA of our own, and the file of the CA that clients have to trust. */
interface SelfSigned {
  readonly server: CertifiedKey;
  readonly authorityFile: string;
}

interface TemporarySelfSigned extends SelfSigned {
  readonly discard: () => void;
}

const dayMs = 86_400_000;
const authorityDays = 3650;
/** The longest lifetime in days that Apple's platforms accept, also of a CA that their user added. */
const serverDays = 825;
/** A third of the lifetime. A start renews the certificate then, as the process may not start again for long. */
const renewalDays = 275;

const authorityName = "ca.pem";
const authorityKeyName = "ca-key.pem";
const serverName = "server.pem";

/**
 * Opens the CA and the server's certificate in `directory`, which is readable by its owner alone. The CA is
 * made once and stays. The certificate is issued anew where it is absent, damaged, of another CA, in its last
 * third or does not cover `hosts`. Throws where the CA is damaged or has expired: clients trust it, so no
 * other takes its place without being asked to.
 */
export async function openSelfSigned(
  directory: string,
  hosts: readonly string[],
  now: Date,
): Promise<SelfSigned> {
  const authorityFile = resolve(directory, authorityName);
  if (!existsSync(authorityFile)) await makeAuthority(directory, now);
  const authority = readAuthority(directory, now);

  const kept = readServer(join(directory, serverName));
  if (kept !== undefined && isServable(kept, authority, hosts, now)) return { server: kept, authorityFile };
  const server = await issueServer(authority, hosts, now);
  keepServer(join(directory, serverName), server);
  return { server, authorityFile };
}

/**
 * Makes a certificate like `openSelfSigned`, for one run: only the CA's certificate is written to the disk,
 * in a directory of its own.
 */
export async function makeTemporarySelfSigned(
  hosts: readonly string[],
  now: Date,
): Promise<TemporarySelfSigned> {
  const authority = await newAuthority(now);
  const server = await issueServer(authority, hosts, now);
  const directory = mkdtempSync(join(tmpdir(), "zoneward-tls-"));
  const authorityFile = join(directory, authorityName);
  writePrivately(authorityFile, authority.certificate);
  return { server, authorityFile, discard: () => rmSync(directory, { recursive: true, force: true }) };
}

/** Makes a CA. Its directory appears whole or not at all, even if another process makes it at the same time. */
async function makeAuthority(directory: string, now: Date): Promise<void> {
  mkdirSync(dirname(directory), { recursive: true, mode: 0o700 });
  const { certificate, privateKey } = await newAuthority(now);
  const draft = mkdtempSync(`${directory}-`);
  try {
    writePrivately(join(draft, authorityName), certificate);
    writePrivately(join(draft, authorityKeyName), privateKey);
    renameSync(draft, directory);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process was first; its CA is used.
    if (!existsSync(directory)) throw error;
  }
}

function readAuthority(directory: string, now: Date): CertifiedKey {
  try {
    const authority = {
      certificate: readFileSync(join(directory, authorityName), "utf8"),
      privateKey: readFileSync(join(directory, authorityKeyName), "utf8"),
    };
    const certificate = new X509Certificate(authority.certificate);
    if (!certificate.checkPrivateKey(createPrivateKey(authority.privateKey)))
      throw new Error("the key is not that of the certificate");
    if (certificate.validToDate <= now) throw new Error(`it expired on ${certificate.validTo}`);
    return authority;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `the local CA in ${directory} cannot be used: ${reason}; restore the directory, or remove it to create a new CA, which clients then have to trust`,
      { cause: error },
    );
  }
}

/** Reads key and certificate, which are in one file, so that they are replaced as one. */
function readServer(file: string): CertifiedKey | undefined {
  try {
    const text = readFileSync(file, "utf8");
    const keyStart = text.indexOf("-----BEGIN PRIVATE KEY-----");
    return { certificate: text.slice(0, keyStart), privateKey: text.slice(keyStart) };
  } catch {
    return undefined;
  }
}

function keepServer(file: string, { certificate, privateKey }: CertifiedKey): void {
  const draft = `${file}-${randomBytes(4).toString("hex")}`;
  writePrivately(draft, certificate + privateKey);
  renameSync(draft, file);
}

function isServable(
  { certificate: certificatePem, privateKey }: CertifiedKey,
  authority: CertifiedKey,
  hosts: readonly string[],
  now: Date,
): boolean {
  try {
    const certificate = new X509Certificate(certificatePem);
    return (
      certificate.verify(new X509Certificate(authority.certificate).publicKey) &&
      certificate.checkPrivateKey(createPrivateKey(privateKey)) &&
      certificate.validFromDate <= now &&
      certificate.validToDate.getTime() - now.getTime() > renewalDays * dayMs &&
      coversHosts(certificate, hosts)
    );
  } catch {
    return false;
  }
}

function newAuthority(now: Date): Promise<CertifiedKey> {
  // Users who trust several of them have to tell them apart in a list.
  return createAuthority(
    `Zoneward local CA ${randomBytes(4).toString("hex")}`,
    validityFrom(now, authorityDays),
  );
}

function issueServer(authority: CertifiedKey, hosts: readonly string[], now: Date): Promise<CertifiedKey> {
  const { validToDate } = new X509Certificate(authority.certificate);
  return issueServerCertificate(authority, hosts, validityFrom(now, serverDays, validToDate));
}

function writePrivately(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600, flush: true });
}

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

/** The form of a host in a certificate: names in ASCII, and addresses without a zone; anything else becomes empty. */
function canonicalHost(host: string): string {
  return isIP(host) === 0 ? domainToASCII(host) : host.replace(/%.*$/, "");
}
