import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";

import type { CertifiedKey } from "./local-ca.ts";

/** Paths of PEM files: the certificate, followed by those of its issuers, and its key. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly privateKey: string;
}

/** Reads the files without checking them. Throws the errors of reading. */
export function readCertificateFiles({ certificate, privateKey }: CertificateFiles): CertifiedKey {
  return { certificate: readFileSync(certificate, "utf8"), privateKey: readFileSync(privateKey, "utf8") };
}

/** The reasons why a server cannot serve these files at the time `now`, a line for each. */
export function certificateFileIssues(files: CertificateFiles, now: Date): string[] {
  const certificate = parseFile(files.certificate, "certificate", (pem) => new X509Certificate(pem));
  const privateKey = parseFile(files.privateKey, "private key without a passphrase", createPrivateKey);

  const issues: string[] = [];
  if (certificate instanceof Error) issues.push(`--tls-cert: ${certificate.message}`);
  else issues.push(...dateIssues(files.certificate, certificate, now));
  if (privateKey instanceof Error) issues.push(`--tls-key: ${privateKey.message}`);
  else if (!(certificate instanceof Error) && !certificate.checkPrivateKey(privateKey))
    issues.push(`--tls-key: ${files.privateKey} is not the key of the certificate in ${files.certificate}`);
  return issues.length > 0 ? issues : contextIssues(files);
}

function parseFile<Value>(path: string, content: string, parse: (pem: string) => Value): Value | Error {
  let pem: string;
  try {
    pem = readFileSync(path, "utf8");
  } catch (error) {
    return new Error(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  try {
    return parse(pem);
  } catch {
    return new Error(`${path} holds no ${content} in PEM form`);
  }
}

function dateIssues(path: string, { validFromDate, validToDate }: X509Certificate, now: Date): string[] {
  if (validToDate <= now) return [`--tls-cert: ${path} expired on ${validToDate.toISOString()}`];
  if (validFromDate > now) return [`--tls-cert: ${path} is not valid before ${validFromDate.toISOString()}`];
  return [];
}

/** Errors that only the TLS library finds, such as a key that is too short. */
function contextIssues(files: CertificateFiles): string[] {
  try {
    const { certificate, privateKey } = readCertificateFiles(files);
    createSecureContext({ cert: certificate, key: privateKey });
    return [];
  } catch (error) {
    return [`--tls-cert: ${files.certificate} cannot be served: ${(error as Error).message}`];
  }
}
