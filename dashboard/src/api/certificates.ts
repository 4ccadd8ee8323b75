import type {
  CertificatePack,
  CertificatePackQuota,
  CertificateVerification,
  CreateCertificatePackBody,
  TotalTls,
} from "../../../src/resources/certificate-packs/schema.ts";
import type {
  CreateCustomCertificateBody,
  CustomCertificate,
  PrioritizeCustomCertificatesBody,
} from "../../../src/resources/custom-certificates/schema.ts";
import { path, wholeList, type ApiCall } from "./call.ts";

export type {
  CertificatePack,
  CertificateVerification,
  CreateCertificatePackBody,
  CustomCertificate,
  TotalTls,
};

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

/** The higher a priority, the sooner a certificate is chosen where several have a host. */
export const prioritizeCustomCertificates = (
  zoneId: string,
  certificates: PrioritizeCustomCertificatesBody["certificates"],
): ApiCall<CustomCertificate[]> => ({
  method: "PUT",
  path: path`/zones/${zoneId}/custom_certificates/prioritize`,
  body: { certificates },
});

export const universalSettingsOf = (zoneId: string): ApiCall<{ readonly enabled: boolean }> => ({
  method: "GET",
  path: path`/zones/${zoneId}/ssl/universal/settings`,
});

export const editUniversalSettings = (
  zoneId: string,
  enabled: boolean,
): ApiCall<{ readonly enabled: boolean }> => ({
  method: "PATCH",
  path: path`/zones/${zoneId}/ssl/universal/settings`,
  body: { enabled },
});

export const totalTlsPath = (zoneId: string): string => path`/zones/${zoneId}/acm/total_tls`;

export const totalTlsOf = (zoneId: string): ApiCall<TotalTls> => ({
  method: "GET",
  path: totalTlsPath(zoneId),
});

export const editTotalTls = (
  zoneId: string,
  body: Pick<TotalTls, "enabled" | "certificate_authority">,
): ApiCall<TotalTls> => ({ method: "POST", path: totalTlsPath(zoneId), body });

/** How far the validation of each pack is. */
export const certificateVerification = (zoneId: string): ApiCall<CertificateVerification[]> => ({
  method: "GET",
  path: path`/zones/${zoneId}/ssl/verification`,
});

/** The certificates of the local authority, as a PEM file; without one, nothing. */
export const certificateAuthority: ApiCall<string> = { method: "GET", path: "/certificate_authority.pem" };
