import type {
  CertificatePack,
  CertificatePackQuota,
  CreateCertificatePackBody,
} from "../../../src/resources/certificate-packs/schema.ts";
import type {
  CreateCustomCertificateBody,
  CustomCertificate,
} from "../../../src/resources/custom-certificates/schema.ts";
import { path, wholeList, type ApiCall } from "./call.ts";

export type { CertificatePack, CreateCertificatePackBody, CustomCertificate };

export const sslPath = (zoneId: string): string => path`/zones/${zoneId}/ssl`;

/** The packs of a zone, whatever their status. */
export const listCertificatePacks = (zoneId: string): ApiCall<CertificatePack[]> => ({
  method: "GET",
  path: path`/zones/${zoneId}/ssl/certificate_packs`,
  query: { ssl_status: "all", ...wholeList },
});

export const certificatePackQuota = (zoneId: string): ApiCall<CertificatePackQuota> => ({
  method: "GET",
  path: path`/zones/${zoneId}/ssl/certificate_packs/quota`,
});

export const orderCertificatePack = (
  zoneId: string,
  body: CreateCertificatePackBody,
): ApiCall<CertificatePack> => ({
  method: "POST",
  path: path`/zones/${zoneId}/ssl/certificate_packs/order`,
  body: { type: "advanced", ...body },
});

/** Begins the validation of a pack again. */
export const restartValidation = (zoneId: string, packId: string): ApiCall<CertificatePack> => ({
  method: "PATCH",
  path: path`/zones/${zoneId}/ssl/certificate_packs/${packId}`,
});

export const deleteCertificatePack = (zoneId: string, packId: string): ApiCall<{ id: string }> => ({
  method: "DELETE",
  path: path`/zones/${zoneId}/ssl/certificate_packs/${packId}`,
});

export const customCertificatesPath = (zoneId: string): string => path`/zones/${zoneId}/custom_certificates`;

export const listCustomCertificates = (zoneId: string): ApiCall<CustomCertificate[]> => ({
  method: "GET",
  path: customCertificatesPath(zoneId),
  query: wholeList,
});

export const createCustomCertificate = (
  zoneId: string,
  body: CreateCustomCertificateBody,
): ApiCall<CustomCertificate> => ({ method: "POST", path: customCertificatesPath(zoneId), body });

export const deleteCustomCertificate = (zoneId: string, certificateId: string): ApiCall<{ id: string }> => ({
  method: "DELETE",
  path: path`/zones/${zoneId}/custom_certificates/${certificateId}`,
});
