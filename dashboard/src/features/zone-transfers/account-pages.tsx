import { useAccountOfPage } from "../../components/account-of-page.ts";
import { useMemo, type ReactNode } from "react";

import { call, wholeList } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { ResourcePage } from "../../components/resource/resource-page.tsx";
import { transferPeers } from "./peers.tsx";
import { tsigs } from "./tsigs.tsx";
import type { Acl } from "../../../../src/resources/zone-transfers/schema.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { textField } from "../../components/resource/field.tsx";
import type { Resource } from "../../components/resource/resource.ts";

/** The name servers with which an account exchanges zones. */
export function TransferPeersPage(): ReactNode {
  const { accountId, account } = useAccountOfPage();
  const keys = useApi(call("listTsigs", { account_id: accountId }, wholeList)).data?.result;
  const resource = useMemo(() => transferPeers(accountId, keys ?? []), [accountId, keys]);
  return (
    <ResourcePage
      resource={resource}
      of={account?.name}
      description="Name servers that fetch zones from here, or from which zones are fetched. Which zone goes to which peer, its page says."
    />
  );
}

/** The keys by which name servers know each other. */
export function TsigsPage(): ReactNode {
  const { accountId, account } = useAccountOfPage();
  const resource = useMemo(() => tsigs(accountId), [accountId]);
  return (
    <ResourcePage
      resource={resource}
      of={account?.name}
      description="Both sides of a transfer sign with the same key, under the same name. Secrets are stored encrypted."
    />
  );
}

/** The addresses that may fetch the zones of an account. */
export function TransferAclsPage(): ReactNode {
  const { accountId, account } = useAccountOfPage();
  const resource = useMemo(() => transferAcls(accountId), [accountId]);
  return (
    <ResourcePage
      resource={resource}
      of={account?.name}
      description="Addresses that may fetch the zones of the account, besides those of its peers."
    />
  );
}

interface AclDraft {
  readonly name: string;
  readonly ip_range: string;
}

const bodyOf = ({ name, ip_range }: AclDraft): AclDraft => ({
  name: name.trim(),
  ip_range: ip_range.trim(),
});

/** The addresses that may fetch the zones of an account. */
function transferAcls(accountId: string): Resource<Acl, AclDraft> {
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
