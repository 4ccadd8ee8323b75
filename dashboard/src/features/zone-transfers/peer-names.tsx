import { Stack, Text } from "@mantine/core";

import type { Peer } from "../../../../src/resources/zone-transfers/schema.ts";
import { addressOf } from "./peers.tsx";

/** The choices of a form by the ids of peers. */
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
