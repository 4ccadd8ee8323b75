import type { Acl } from "../../../../src/resources/zone-transfers/schema.ts";
import { call } from "../../api/call.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { textField } from "../../components/resource/field.tsx";
import type { Resource } from "../../components/resource/resource.ts";

interface AclDraft {
  readonly name: string;
  readonly ip_range: string;
}

const bodyOf = ({ name, ip_range }: AclDraft): AclDraft => ({
  name: name.trim(),
  ip_range: ip_range.trim(),
});

/** The addresses that may fetch the zones of an account. */
export function transferAcls(accountId: string): Resource<Acl, AclDraft> {
  return {
    noun: "transfer ACL",
    title: "Transfer ACLs",
    list: ({ page = 1, per_page = 20 }) =>
      call("listTransferAcls", { account_id: accountId }, { page, per_page }),
    columns: [
      { key: "name", header: "Name", cell: ({ name }) => name },
      { key: "range", header: "Addresses", cell: ({ ip_range }) => <code>{ip_range}</code> },
    ],
    nameOf: ({ name }) => name,
    empty: (
      <EmptyList title="No ACLs">
        The addresses of peers need none: an ACL is for servers that ask from other addresses.
      </EmptyList>
    ),
    deletion: "Servers there can no longer fetch the zones of the account, unless they are its peers.",
    fields: {
      name: textField({ label: "Name", pointer: "/name" }),
      ip_range: textField({
        label: "Addresses",
        description: "One address, or a range of at most a /24 (IPv4) or /64 (IPv6)",
        placeholder: "192.0.2.53 or 2001:db8::/64",
        pointer: "/ip_range",
      }),
    },
    blank: { name: "", ip_range: "" },
    draftOf: ({ name, ip_range }) => ({ name, ip_range }),
    create: (draft) => call("createTransferAcl", { account_id: accountId }, bodyOf(draft)),
    edit: ({ id }, draft) => call("replaceTransferAcl", { account_id: accountId, acl_id: id }, bodyOf(draft)),
    remove: ({ id }) => call("deleteTransferAcl", { account_id: accountId, acl_id: id }),
  };
}
