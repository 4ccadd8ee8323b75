import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { promisify } from "node:util";

import type { JsonGeneralName, JsonName, X509CrlCreateParams } from "@peculiar/x509";

/** A certificate and its private key, as PEM text. */
export interface CertifiedKey {
  readonly certificate: string;
  /** The key as PKCS#8, not encrypted. */
  readonly privateKey: string;
}

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const dayMs = 86_400_000;
const clockSkewMs = 3_600_000;

/** A validity of `days`, but not beyond `end`. It begins an hour before `now`, for clients whose clocks run behind. */
export function validityFrom(now: Date, days: number, end?: Date): Validity {
  const notBefore = new Date(now.getTime() - clockSkewMs);
  const notAfter = new Date(notBefore.getTime() + days * dayMs);
  return { notBefore, notAfter: end !== undefined && end < notAfter ? end : notAfter };
}

/** ECDSA with P-256, or RSA with 2048 bits. */
export type KeyType = "ecdsa" | "rsa";

interface ServerCertificateRequest extends Validity {
  /** Host names in ASCII, `*.` in front allowed, and IP addresses; at least one. */
  readonly hosts: readonly string[];
  readonly publicKey: KeyObject;
  /** The number in hexadecimal; random if not given. */
  readonly serialNumber?: string;
}

type X509Library = typeof import("@peculiar/x509");

const commonNameCharactersMax = 64;
const algorithms = {
  ecdsa: { name: "ECDSA", namedCurve: "P-256" },
  rsa: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
} as const;

/** Makes the two halves of a key. */
export type CreateKeyPair = (
  type: KeyType,
) => Promise<{ readonly publicKey: KeyObject; readonly privateKey: KeyObject }>;

/** Creates a key pair off the event loop: an RSA key takes a tenth of a second. */
export const createKeyPair: CreateKeyPair = (type) =>
  type === "ecdsa"
    ? promisify(generateKeyPair)("ec", { namedCurve: algorithms.ecdsa.namedCurve })
    : promisify(generateKeyPair)("rsa", { modulusLength: 2048 });

/** Makes a CA: a key with a certificate signed by itself, which may sign no further CA. */
export async function createAuthority(
  commonName: string,
  validity: Validity,
  type: KeyType = "ecdsa",
): Promise<CertifiedKey> {
  const x509 = await loadX509();
  const { publicKey, privateKey } = await createKeyPair(type);
  const keys = { publicKey: verifying(publicKey), privateKey: signing(privateKey) };
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    ...validity,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: pem(certificate), privateKey: pkcs8(privateKey) };
}

/**
 * Issues a certificate for TLS servers with an ECDSA P-256 key of its own. Hosts are those that
 * `ServerCertificateRequest` allows.
 */
export async function issueServerCertificate(
  authority: CertifiedKey,
  hosts: readonly string[],
  validity: Validity,
): Promise<CertifiedKey> {
  const { publicKey, privateKey } = await createKeyPair("ecdsa");
  const certificate = await signServerCertificate(authority, { ...validity, hosts, publicKey });
  return { certificate, privateKey: pkcs8(privateKey) };
}

/** Certifies the key of a TLS server, as PEM text, in the form of RFC 5280 4.2. */
export async function signServerCertificate(
  authority: CertifiedKey,
  { hosts, publicKey, serialNumber, notBefore, notAfter }: ServerCertificateRequest,
): Promise<string> {
  const x509 = await loadX509();
  const issuer = new x509.X509Certificate(authority.certificate);
  const subject = subjectFor(hosts);
  const certificate = await x509.X509CertificateGenerator.create({
    subject,
    issuer: issuer.subjectName,
    notBefore,
    notAfter,
    ...(serialNumber !== undefined && { serialNumber }),
    publicKey: verifying(publicKey),
    signingKey: signing(createPrivateKey(authority.privateKey)),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      usagesExtension(x509, publicKey),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      // Without a subject, the names alone identify the owner of the certificate: then they are critical.
      new x509.SubjectAlternativeNameExtension(hosts.map(alternativeName), subject.length === 0),
      await x509.SubjectKeyIdentifierExtension.create(verifying(publicKey)),
      await x509.AuthorityKeyIdentifierExtension.create(verifying(createPublicKey(authority.certificate))),
    ],
  });
  return pem(certificate);
}

/**
 * Loads the library that builds certificates, when one has to be issued. Most starts only read what an
 * earlier one has made, and `node:crypto` does that.
 */
export async function loadX509(): Promise<X509Library> {
  // The library needs this module, and leaves it to us to load it.
  await import("reflect-metadata");
  return import("@peculiar/x509");
}

/** The first host that a common name can hold. */
function subjectFor(hosts: readonly string[]): JsonName {
  const commonName = hosts.find((host) => host.length <= commonNameCharactersMax);
  return commonName === undefined ? [] : [{ CN: [commonName] }];
}

function alternativeName(host: string): JsonGeneralName {
  if (!isIPv6(host)) return { type: isIPv4(host) ? "ip" : "dns", value: host };
  // The library misreads the mixed notation `::ffff:192.0.2.1`; a URL writes it in hexadecimal.
  return { type: "ip", value: new URL(`http://[${host}]`).hostname.slice(1, -1) };
}

/** The usages of a key. An RSA key also has to encipher for clients that know no key agreement (TLS 1.2 and older). */
function usagesExtension({ KeyUsagesExtension, KeyUsageFlags }: X509Library, publicKey: KeyObject) {
  if (publicKey.asymmetricKeyType !== "rsa")
    return new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true);
  return new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true);
}

const algorithmOf = (key: KeyObject) => algorithms[key.asymmetricKeyType === "rsa" ? "rsa" : "ecdsa"];
/** The library names the type of browsers, which knows fewer usages than that of Node.js. */
type LibraryKey = X509CrlCreateParams["signingKey"];
const signing = (key: KeyObject) => key.toCryptoKey(algorithmOf(key), false, ["sign"]) as LibraryKey;
const verifying = (key: KeyObject) => key.toCryptoKey(algorithmOf(key), true, ["verify"]) as LibraryKey;

const pem = (certificate: { toString(format: "pem"): string }): string => `${certificate.toString("pem")}\n`;
/** The key as PKCS#8 in PEM, not encrypted. */
export const pkcs8 = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }) as string;

/**
 * Makes at most `keysMax` RSA keys and gives them out again in turn, as each takes a tenth of a second; keys
 * of other types are always new. For certificates that protect nothing.
 */
export function reuseRsaKeys(keysMax: number): CreateKeyPair {
  const made: ReturnType<CreateKeyPair>[] = [];
  let given = 0;
  return (type) => {
    if (type !== "rsa") return createKeyPair(type);
    const turn = given % keysMax;
    given += 1;
    return (made[turn] ??= createKeyPair(type));
  };
}
