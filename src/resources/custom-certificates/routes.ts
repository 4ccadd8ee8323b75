import { Type } from "@sinclair/typebox";

import { onZone } from "../../core/policy/permission.ts";
import { listRoute, route, type Route } from "../../http/route.ts";
import {
  createCustomCertificate,
  deleteCustomCertificate,
  editCustomCertificate,
  getCustomCertificate,
  listCustomCertificates,
  prioritizeCustomCertificates,
  type CustomCertificateContext,
} from "./custom-certificates.ts";
import {
  CreateCustomCertificateBody,
  CustomCertificate,
  CustomCertificateId,
  EditCustomCertificateBody,
  ListCustomCertificatesQuery,
  PrioritizeCustomCertificatesBody,
} from "./schema.ts";

const read = onZone("SSL and Certificates Read");
const write = onZone("SSL and Certificates Write");

export function customCertificateRoutes(context: CustomCertificateContext): Route[] {
  return [
    listRoute({
      operation: "listCustomCertificates",
      summary: "List custom certificates",
      path: "/zones/{zone_id}/custom_certificates",
      permission: read,
      query: ListCustomCertificatesQuery,
      result: CustomCertificate,
      list: { orderings: ["priority", "expires_on", "uploaded_on"], direction: "desc", perPageMax: 1_000 },
      handle: ({ params, query, page }) => listCustomCertificates(context, params.zone_id, query, page),
    }),
    route({
      operation: "createCustomCertificate",
      summary: "Upload a certificate with its key",
      method: "POST",
      path: "/zones/{zone_id}/custom_certificates",
      permission: write,
      body: CreateCustomCertificateBody,
      result: CustomCertificate,
      handle: async ({ caller, params, body }) => ({
        result: await createCustomCertificate(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "prioritizeCustomCertificates",
      summary: "Set the priorities of custom certificates",
      method: "PUT",
      path: "/zones/{zone_id}/custom_certificates/prioritize",
      permission: write,
      body: PrioritizeCustomCertificatesBody,
      result: Type.Array(CustomCertificate),
      handle: async ({ caller, params, body }) => ({
        result: await prioritizeCustomCertificates(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "getCustomCertificate",
      summary: "Get a custom certificate",
      method: "GET",
      path: "/zones/{zone_id}/custom_certificates/{custom_certificate_id}",
      permission: read,
      result: CustomCertificate,
      handle: async ({ params }) => ({
        result: await getCustomCertificate(context, params.zone_id, params.custom_certificate_id),
      }),
    }),
    route({
      operation: "editCustomCertificate",
      summary: "Replace a custom certificate or its key",
      method: "PATCH",
      path: "/zones/{zone_id}/custom_certificates/{custom_certificate_id}",
      permission: write,
      body: EditCustomCertificateBody,
      result: CustomCertificate,
      handle: async ({ caller, params, body }) => ({
        result: await editCustomCertificate(
          context,
          caller,
          params.zone_id,
          params.custom_certificate_id,
          body,
        ),
      }),
    }),
    route({
      operation: "deleteCustomCertificate",
      summary: "Delete a custom certificate and its key",
      method: "DELETE",
      path: "/zones/{zone_id}/custom_certificates/{custom_certificate_id}",
      permission: write,
      result: CustomCertificateId,
      handle: async ({ caller, params }) => ({
        result: await deleteCustomCertificate(context, caller, params.zone_id, params.custom_certificate_id),
      }),
    }),
  ];
}
