import { Type } from "@sinclair/typebox";

import { onZone } from "../../core/policy/permission.ts";
import { route, type Route } from "../../http/route.ts";
import type { Context } from "../context.ts";
import { CreateWeb3HostnameBody, EditWeb3HostnameBody, Web3Hostname, Web3HostnameId } from "./schema.ts";
import {
  createWeb3Hostname,
  deleteWeb3Hostname,
  editWeb3Hostname,
  getWeb3Hostname,
  listWeb3Hostnames,
} from "./web3-hostnames.ts";

export function web3HostnameRoutes(context: Context): Route[] {
  const read = onZone("Web3 Hostnames Read");
  const write = onZone("Web3 Hostnames Write");
  return [
    route({
      operation: "listWeb3Hostnames",
      summary: "List the Web3 hostnames of a zone",
      method: "GET",
      path: "/zones/{zone_id}/web3/hostnames",
      permission: read,
      result: Type.Array(Web3Hostname),
      handle: async ({ params }) => ({ result: await listWeb3Hostnames(context, params.zone_id) }),
    }),
    route({
      operation: "createWeb3Hostname",
      summary: "Create a Web3 hostname",
      method: "POST",
      path: "/zones/{zone_id}/web3/hostnames",
      permission: write,
      body: CreateWeb3HostnameBody,
      result: Web3Hostname,
      handle: async ({ caller, params, body }) => ({
        result: await createWeb3Hostname(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "getWeb3Hostname",
      summary: "Get a Web3 hostname",
      method: "GET",
      path: "/zones/{zone_id}/web3/hostnames/{web3_hostname_id}",
      permission: read,
      result: Web3Hostname,
      handle: async ({ params }) => ({
        result: await getWeb3Hostname(context, params.zone_id, params.web3_hostname_id),
      }),
    }),
    route({
      operation: "editWeb3Hostname",
      summary: "Change the description or the DNSLink of a Web3 hostname",
      method: "PATCH",
      path: "/zones/{zone_id}/web3/hostnames/{web3_hostname_id}",
      permission: write,
      body: EditWeb3HostnameBody,
      result: Web3Hostname,
      handle: async ({ caller, params, body }) => ({
        result: await editWeb3Hostname(context, caller, params.zone_id, params.web3_hostname_id, body),
      }),
    }),
    route({
      operation: "deleteWeb3Hostname",
      summary: "Delete a Web3 hostname",
      method: "DELETE",
      path: "/zones/{zone_id}/web3/hostnames/{web3_hostname_id}",
      permission: write,
      result: Web3HostnameId,
      handle: async ({ caller, params }) => ({
        result: await deleteWeb3Hostname(context, caller, params.zone_id, params.web3_hostname_id),
      }),
    }),
  ];
}
