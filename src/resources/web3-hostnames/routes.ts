import { Type } from "@sinclair/typebox";

import { onZone } from "../../core/policy/permission.ts";
import { route, type Route } from "../../http/route.ts";
import type { Context } from "../../operation/context.ts";
import {
  createWeb3ContentListEntry,
  deleteWeb3ContentListEntry,
  getWeb3ContentList,
  getWeb3ContentListEntry,
  listWeb3ContentListEntries,
  replaceWeb3ContentList,
  replaceWeb3ContentListEntry,
} from "./content-lists.ts";
import {
  CreateWeb3HostnameBody,
  EditWeb3HostnameBody,
  ReplaceWeb3ContentListBody,
  Web3ContentList,
  Web3ContentListEntries,
  Web3ContentListEntry,
  Web3ContentListEntryBody,
  Web3ContentListEntryId,
  Web3Hostname,
  Web3HostnameId,
} from "./schema.ts";
import {
  createWeb3Hostname,
  deleteWeb3Hostname,
  editWeb3Hostname,
  getWeb3Hostname,
  listWeb3Hostnames,
} from "./web3-hostnames.ts";

const contentList = "/zones/{zone_id}/web3/hostnames/{web3_hostname_id}/ipfs_universal_path/content_list";

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
    route({
      operation: "getWeb3ContentList",
      summary: "Get the content list of a Web3 hostname",
      method: "GET",
      path: contentList,
      permission: read,
      result: Web3ContentList,
      handle: async ({ params }) => ({
        result: await getWeb3ContentList(context, params.zone_id, params.web3_hostname_id),
      }),
    }),
    route({
      operation: "replaceWeb3ContentList",
      summary: "Replace the content list of a Web3 hostname",
      method: "PUT",
      path: contentList,
      permission: write,
      body: ReplaceWeb3ContentListBody,
      result: Web3ContentList,
      handle: async ({ caller, params, body }) => ({
        result: await replaceWeb3ContentList(context, caller, params.zone_id, params.web3_hostname_id, body),
      }),
    }),
    route({
      operation: "listWeb3ContentListEntries",
      summary: "List the entries of a content list",
      method: "GET",
      path: `${contentList}/entries`,
      permission: read,
      result: Web3ContentListEntries,
      handle: async ({ params }) => ({
        result: await listWeb3ContentListEntries(context, params.zone_id, params.web3_hostname_id),
      }),
    }),
    route({
      operation: "createWeb3ContentListEntry",
      summary: "Add an entry to a content list",
      method: "POST",
      path: `${contentList}/entries`,
      permission: write,
      body: Web3ContentListEntryBody,
      result: Web3ContentListEntry,
      handle: async ({ caller, params, body }) => ({
        result: await createWeb3ContentListEntry(
          context,
          caller,
          params.zone_id,
          params.web3_hostname_id,
          body,
        ),
      }),
    }),
    route({
      operation: "getWeb3ContentListEntry",
      summary: "Get an entry of a content list",
      method: "GET",
      path: `${contentList}/entries/{content_list_entry_id}`,
      permission: read,
      result: Web3ContentListEntry,
      handle: async ({ params }) => ({
        result: await getWeb3ContentListEntry(
          context,
          params.zone_id,
          params.web3_hostname_id,
          params.content_list_entry_id,
        ),
      }),
    }),
    route({
      operation: "replaceWeb3ContentListEntry",
      summary: "Replace an entry of a content list",
      method: "PUT",
      path: `${contentList}/entries/{content_list_entry_id}`,
      permission: write,
      body: Web3ContentListEntryBody,
      result: Web3ContentListEntry,
      handle: async ({ caller, params, body }) => ({
        result: await replaceWeb3ContentListEntry(
          context,
          caller,
          params.zone_id,
          params.web3_hostname_id,
          params.content_list_entry_id,
          body,
        ),
      }),
    }),
    route({
      operation: "deleteWeb3ContentListEntry",
      summary: "Delete an entry of a content list",
      method: "DELETE",
      path: `${contentList}/entries/{content_list_entry_id}`,
      permission: write,
      result: Web3ContentListEntryId,
      handle: async ({ caller, params }) => ({
        result: await deleteWeb3ContentListEntry(
          context,
          caller,
          params.zone_id,
          params.web3_hostname_id,
          params.content_list_entry_id,
        ),
      }),
    }),
  ];
}
