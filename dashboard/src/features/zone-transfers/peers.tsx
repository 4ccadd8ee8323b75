import { Box, Stack, Text } from "@mantine/core";

import type { PeerBody, Peer, Tsig } from "../../../../src/resources/zone-transfers/schema.ts";
import { call } from "../../api/call.ts";
import { Copied } from "../../components/copy-button.tsx";
import { EmptyList } from "../../components/data-table.tsx";
import { choiceField, numberField, switchField, textField } from "../../components/resource/field.tsx";
import type { Resource } from "../../components/resource/resource.ts";

interface PeerDraft {
  readonly name: string;
  readonly ip: string;
  readonly port: number | "";
  readonly keyId: string;
  readonly fetchesChanges: boolean;
}

const noKey = "none";

const bodyOf = ({ name, ip, port, keyId, fetchesChanges }: PeerDraft): PeerBody => ({
  name: name.trim(),
  ...(ip.trim() !== "" && { ip: ip.trim() }),
  ...(port !== "" && { port }),
  ixfr_enable: fetchesChanges,
  ...(keyId !== noKey && { tsig_id: keyId }),
});

/** "192.0.2.53, port 5353" */
function addressOf({ ip, port }: Peer): string {
  if (ip === undefined) return "no address";
  return port === undefined ? ip : `${ip}, port ${port}`;
}

/** The name servers with which an account exchanges zones; `keys` are those of the account. */
export function transferPeers(accountId: string, keys: readonly Tsig[]): Resource<Peer, PeerDraft> {
  const keyNames: Readonly<Record<string, string>> = Object.fromEntries(
    keys.map(({ id, name }) => [id, name]),
  );
  return {
    noun: "transfer peer",
    title: "Transfer peers",
    list: ({ page = 1, per_page = 20 }) =>
      call("listTransferPeers", { account_id: accountId }, { page, per_page }),
    columns: [
      { key: "name", header: "Name", cell: ({ name }) => name },
      { key: "address", header: "Address", cell: addressOf },
      {
        key: "key",
        header: "TSIG key",
        cell: ({ tsig_id: id }) => (id === undefined ? "–" : (keyNames[id] ?? id)),
      },
      {
        key: "catalog",
        header: "Its catalog zone",
        width: "15rem",
        cell: ({ id, name }) => (
          <Box maw="15rem">
            <Copied value={`${id}.catalog.invalid`} what={`the name of the catalog zone of ${name}`} />
          </Box>
        ),
      },
    ],
    nameOf: ({ name }) => name,
    empty: (
      <EmptyList title="No peers">
        A name server that fetches zones from here, such as Knot or BIND, or the primary of a secondary zone.
      </EmptyList>
    ),
    deletion: "Nothing is transferred to it or from it any more.",
    fields: {
      name: textField({ label: "Name", pointer: "/name" }),
      ip: textField({
        label: "Address",
        description: "It may fetch the zones whose peer it is, and is notified there of their changes",
        placeholder: "192.0.2.53",
        pointer: "/ip",
        isOptional: true,
      }),
      port: numberField({ label: "Port", description: "Empty: 53", pointer: "/port", isOptional: true }),
      keyId: choiceField<string>(
        { [noKey]: "None: the address is enough", ...keyNames },
        { label: "TSIG key", description: "Signs all messages between both", pointer: "/tsig_id" },
      ),
      fetchesChanges: switchField({
        label: "Fetch changes alone (IXFR)",
        description: "For zones that are fetched from it; off: always the whole zone",
      }),
    },
    blank: { name: "", ip: "", port: "", keyId: noKey, fetchesChanges: true },
    draftOf: ({ name, ip = "", port, tsig_id: keyId = noKey, ixfr_enable: fetchesChanges = true }) => ({
      name,
      ip,
      port: port ?? "",
      keyId,
      fetchesChanges,
    }),
    create: (draft) => call("createTransferPeer", { account_id: accountId }, bodyOf(draft)),
    edit: ({ id }, draft) =>
      call("replaceTransferPeer", { account_id: accountId, peer_id: id }, bodyOf(draft)),
    remove: ({ id }) => call("deleteTransferPeer", { account_id: accountId, peer_id: id }),
  };
}

export function peerChoices(peers: readonly Peer[]): Readonly<Record<string, string>> {
  return Object.fromEntries(peers.map((peer) => [peer.id, `${peer.name} (${addressOf(peer)})`]));
}

/** Peers by name; by their ids where they may not be read. */
export function PeerNames({
  ids,
  peers,
}: {
  readonly ids: readonly string[];
  readonly peers: readonly Peer[];
}) {
  const choices = peerChoices(peers);
  if (ids.length === 0) return "none";
  return (
    <Stack gap={0}>
      {ids.map((id) => (
        <Text key={id} size="sm">
          {choices[id] ?? id}
        </Text>
      ))}
    </Stack>
  );
}
