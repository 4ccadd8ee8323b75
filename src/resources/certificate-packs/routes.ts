import { onZone } from "../../core/policy/permission.ts";
import { listRoute, route, type Route } from "../../http/route.ts";
import { openTextRoute } from "../../http/routes-without-caller.ts";
import { Type } from "@sinclair/typebox";
import { getCertificateAuthority, type CertificateAuthorityContext } from "./authority.ts";
import {
  createCertificatePack,
  deleteCertificatePack,
  editCertificatePack,
  getCertificatePack,
  getCertificatePackQuota,
  getCertificateVerification,
  listCertificatePacks,
  orderCertificatePack,
  type CertificatePackContext,
} from "./certificate-packs.ts";
import {
  CertificatePack,
  CertificatePackId,
  CertificatePackQuota,
  CertificateVerification,
  CreateCertificatePackBody,
  EditCertificatePackBody,
  ListCertificatePacksQuery,
  OrderCertificatePackBody,
} from "./schema.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ids = { certificate_pack_id: uuid };
const read = onZone("SSL and Certificates Read");
const write = onZone("SSL and Certificates Write");

export function certificatePackRoutes(
  context: CertificatePackContext & CertificateAuthorityContext,
): Route[] {
  return [
    openTextRoute({
      operation: "getCertificateAuthority",
      summary: "Get the certificates of the local certificate authority",
      path: "/certificate_authority.pem",
      contentType: "application/x-pem-file",
      result: Type.String({ description: "PEM: one for ECDSA, one for RSA. Clients must trust both." }),
      handle: () => getCertificateAuthority(context),
    }),
    listRoute({
      operation: "listCertificatePacks",
      summary: "List certificate packs",
      path: "/zones/{zone_id}/ssl/certificate_packs",
      permission: read,
      query: ListCertificatePacksQuery,
      result: CertificatePack,
      list: { orderings: ["created_on"], perPageMax: 1_000 },
      handle: ({ params, query, page }) => listCertificatePacks(context, params.zone_id, query, page),
    }),
    route({
      operation: "orderCertificatePack",
      summary: "Order an advanced certificate pack",
      method: "POST",
      path: "/zones/{zone_id}/ssl/certificate_packs/order",
      permission: write,
      body: OrderCertificatePackBody,
      result: CertificatePack,
      handle: async ({ caller, params, body }) => ({
        result: await orderCertificatePack(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "createCertificatePack",
      summary: "Order a certificate pack with a request body from before 2021",
      method: "POST",
      path: "/zones/{zone_id}/ssl/certificate_packs",
      permission: write,
      body: CreateCertificatePackBody,
      result: CertificatePack,
      handle: async ({ caller, params, body }) => ({
        result: await createCertificatePack(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "getCertificatePackQuota",
      summary: "Get the quota of advanced certificate packs",
      method: "GET",
      path: "/zones/{zone_id}/ssl/certificate_packs/quota",
      permission: read,
      result: CertificatePackQuota,
      handle: async ({ params }) => ({ result: await getCertificatePackQuota(context, params.zone_id) }),
    }),
    route({
      operation: "getCertificatePack",
      summary: "Get a certificate pack",
      method: "GET",
      path: "/zones/{zone_id}/ssl/certificate_packs/{certificate_pack_id}",
      ids,
      permission: read,
      result: CertificatePack,
      handle: async ({ params }) => ({
        result: await getCertificatePack(context, params.zone_id, params.certificate_pack_id),
      }),
    }),
    route({
      operation: "editCertificatePack",
      summary: "Restart the validation of a certificate pack",
      method: "PATCH",
      path: "/zones/{zone_id}/ssl/certificate_packs/{certificate_pack_id}",
      ids,
      permission: write,
      body: EditCertificatePackBody,
      result: CertificatePack,
      handle: async ({ caller, params, body }) => ({
        result: await editCertificatePack(
          context,
          caller,
          params.zone_id,
          params.certificate_pack_id,
          body?.cloudflare_branding,
        ),
      }),
    }),
    route({
      operation: "deleteCertificatePack",
      summary: "Delete an advanced certificate pack",
      method: "DELETE",
      path: "/zones/{zone_id}/ssl/certificate_packs/{certificate_pack_id}",
      ids,
      permission: write,
      result: CertificatePackId,
      handle: async ({ caller, params }) => ({
        result: await deleteCertificatePack(context, caller, params.zone_id, params.certificate_pack_id),
      }),
    }),
    route({
      operation: "getCertificateVerification",
      summary: "Get the status of the certificates of a zone",
      method: "GET",
      path: "/zones/{zone_id}/ssl/verification",
      permission: read,
      result: Type.Array(CertificateVerification),
      handle: async ({ params }) => ({ result: await getCertificateVerification(context, params.zone_id) }),
    }),
  ];
}
