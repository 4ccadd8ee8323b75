import { NoSymbolIcon } from "@heroicons/react/24/outline";
import { Text } from "@mantine/core";
import { useMemo } from "react";

import type { Web3Hostname } from "../../../../src/resources/web3-hostnames/schema.ts";
import { call } from "../../api/call.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { ActionIconLink } from "../../components/links.tsx";
import { choiceField, textField } from "../../components/resource/field.tsx";
import { ResourcePage } from "../../components/resource/resource-page.tsx";
import type { Resource } from "../../components/resource/resource.ts";
import { StatusBadge } from "../../components/status-badge.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";

type Target = Web3Hostname["target"];

interface Web3HostnameDraft {
  readonly name: string;
  readonly target: Target;
  readonly dnslink: string;
  readonly description: string;
}

const targets: Readonly<Record<Target, string>> = {
  ethereum: "Ethereum",
  ipfs: "IPFS, one DNSLink",
  ipfs_universal_path: "IPFS, any path",
};

function web3Hostnames(zoneId: string): Resource<Web3Hostname, Web3HostnameDraft> {
  return {
    noun: "hostname",
    title: "Web3 hostnames",
    list: () => call("listWeb3Hostnames", { zone_id: zoneId }),
    columns: [
      {
        key: "name",
        header: "Hostname",
        cell: ({ name, description }) => (
          <>
            <Text size="sm" fw={500}>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {description}
            </Text>
          </>
        ),
      },
      { key: "target", header: "Gateway", width: "11rem", cell: ({ target }) => targets[target] },
      { key: "dnslink", header: "DNSLink", cell: ({ dnslink }) => dnslink || "–" },
      {
        key: "status",
        header: "Status",
        width: "7rem",
        cell: ({ status }) => <StatusBadge status={status} />,
      },
    ],
    nameOf: ({ name }) => name,
    empty: <EmptyList title="No hostnames">A name of the zone at which a Web3 gateway answers.</EmptyList>,
    deletion: "The gateway no longer answers at this name.",
    fields: {
      name: textField({
        label: "Hostname",
        placeholder: "ipfs.example.com",
        pointer: "/name",
        isFixed: true,
      }),
      target: choiceField(targets, { label: "Gateway", pointer: "/target", isFixed: true }),
      dnslink: textField({
        label: "DNSLink",
        description: "What is served at the name, for IPFS with one DNSLink",
        placeholder: "/ipns/onboarding.ipfs.example",
        pointer: "/dnslink",
        isOptional: true,
      }),
      description: textField({ label: "Description", pointer: "/description", isOptional: true }),
    },
    blank: { name: "", target: "ethereum", dnslink: "", description: "" },
    draftOf: ({ name, target, dnslink = "", description = "" }) => ({ name, target, dnslink, description }),
    create: ({ dnslink, ...draft }) =>
      call("createWeb3Hostname", { zone_id: zoneId }, { ...draft, ...(dnslink !== "" && { dnslink }) }),
    edit: ({ id }, { dnslink, description }) =>
      call("editWeb3Hostname", { zone_id: zoneId, web3_hostname_id: id }, { dnslink, description }),
    remove: ({ id }) => call("deleteWeb3Hostname", { zone_id: zoneId, web3_hostname_id: id }),
  };
}

/** The names of a zone at which a Web3 gateway answers. */
export function Web3HostnamesPage() {
  const { zoneId, zone } = useZoneOfPage();
  const resource = useMemo(() => web3Hostnames(zoneId), [zoneId]);
  return (
    <ResourcePage
      resource={resource}
      of={zone?.name}
      description="Names at which a gateway to Ethereum or IPFS answers."
      renderActions={({ id, name, target }) =>
        target === "ipfs_universal_path" && (
          <ActionIconLink
            variant="subtle"
            color="gray"
            aria-label={`What ${name} blocks`}
            to="/zones/$zoneId/web3/$hostnameId"
            params={{ zoneId, hostnameId: id }}
          >
            <NoSymbolIcon width={18} aria-hidden />
          </ActionIconLink>
        )
      }
    />
  );
}
