import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  type webcrypto,
} from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";

import type { JsonGeneralName, JsonName } from "@peculiar/x509";

/** A certificate and the private key that belongs to it, as PEM text. */
export interface CertifiedKey {
  readonly certificate: string;
  /** PKCS#8, not encrypted. */
  readonly privateKey: string;
}

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const commonNameCharactersMax = 64;
const algorithm = { name: "ECDSA", namedCurve: "P-256" };

/** Makes a CA: an ECDSA P-256 key with a certificate signed by itself, which may sign no further CA. */
export async function createAuthority(commonName: string, validity: Validity): Promise<CertifiedKey> {
  const x509 = await loadX509();
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: algorithm.namedCurve });
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
 * Issues a certificate for TLS servers with an ECDSA P-256 key of its own. `hosts` are host names in ASCII,
 * `*.` in front allowed, and IP addresses; there has to be at least one. The form is that of RFC 5280 4.2.
 */
export async function issueServerCertificate(
  authority: CertifiedKey,
  hosts: readonly string[],
  validity: Validity,
): Promise<CertifiedKey> {
  const x509 = await loadX509();
  const issuer = new x509.X509Certificate(authority.certificate);
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: algorithm.namedCurve });
  const subject = subjectFor(hosts);
  const certificate = await x509.X509CertificateGenerator.create({
    subject,
    issuer: issuer.subjectName,
    ...validity,
    publicKey: verifying(publicKey),
    signingKey: signing(createPrivateKey(authority.privateKey)),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      // Where there is no subject, the names alone say whose certificate it is: then they are critical.
      new x509.SubjectAlternativeNameExtension(hosts.map(alternativeName), subject.length === 0),
      await x509.SubjectKeyIdentifierExtension.create(verifying(publicKey)),
      await x509.AuthorityKeyIdentifierExtension.create(verifying(createPublicKey(authority.certificate))),
    ],
  });
  return { certificate: pem(certificate), privateKey: pkcs8(privateKey) };
}

/**
 * The library that builds certificates. Loaded when something is to be issued: most starts only read what an
 * earlier one has made, and `node:crypto` does that.
 */
export async function loadX509(): Promise<typeof import("@peculiar/x509")> {
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

const signing = (key: KeyObject): webcrypto.CryptoKey => key.toCryptoKey(algorithm, false, ["sign"]);
const verifying = (key: KeyObject): webcrypto.CryptoKey => key.toCryptoKey(algorithm, true, ["verify"]);

const pem = (certificate: { toString(format: "pem"): string }): string => `${certificate.toString("pem")}\n`;
const pkcs8 = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }) as string;
