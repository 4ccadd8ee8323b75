import { Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";

import type {
  Web3ContentListEntries,
  Web3ContentListEntry,
} from "../../../../src/resources/web3-hostnames/schema.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { choiceField, textField } from "../../components/resource/field.tsx";
import { ResourcePage } from "../../components/resource/resource-page.tsx";
import type { Resource } from "../../components/resource/resource.ts";
import { Timestamp } from "../../components/timestamp.tsx";

type Kind = Web3ContentListEntry["type"];

interface EntryDraft {
  readonly type: Kind;
  readonly content: string;
  readonly description: string;
}

const kinds: Readonly<Record<Kind, string>> = { cid: "CID", content_path: "Path" };

function contentList(
  zoneId: string,
  hostnameId: string,
): Resource<Web3ContentListEntry, EntryDraft, Web3ContentListEntries> {
  const ofHostname = { zone_id: zoneId, web3_hostname_id: hostnameId };
  return {
    noun: "entry",
    title: "Blocked content",
    list: () => call("listWeb3ContentListEntries", ofHostname),
    rowsOf: (listed) => listed.entries,
    columns: [
      {
        key: "content",
        header: "Content",
        cell: ({ content, description }) => (
          <>
            <Text size="sm" fw={500}>
              {content}
            </Text>
            <Text size="xs" c="dimmed">
              {description}
            </Text>
          </>
        ),
      },
      { key: "type", header: "Kind", width: "7rem", cell: ({ type }) => kinds[type] },
      {
        key: "modified",
        header: "Changed",
        width: "9rem",
        cell: ({ modified_on }) => <Timestamp at={modified_on} />,
      },
    ],
    nameOf: ({ content }) => content,
    empty: <EmptyList title="Nothing is blocked">The gateway serves whatever it is asked for.</EmptyList>,
    deletion: "The gateway serves it again.",
    fields: {
      type: choiceField(kinds, { label: "Kind", pointer: "/type" }),
      content: textField({
        label: "Content",
        description: "A CID, or a path below /ipfs/ or /ipns/",
        pointer: "/content",
      }),
      description: textField({ label: "Description", pointer: "/description", isOptional: true }),
    },
    blank: { type: "cid", content: "", description: "" },
    draftOf: ({ type, content, description }) => ({ type, content, description }),
    create: (draft) => call("createWeb3ContentListEntry", ofHostname, draft),
    edit: ({ id }, draft) =>
      call("replaceWeb3ContentListEntry", { ...ofHostname, content_list_entry_id: id }, draft),
    remove: ({ id }) => call("deleteWeb3ContentListEntry", { ...ofHostname, content_list_entry_id: id }),
  };
}

const route = getRouteApi("/shell/zones/$zoneId/web3/$hostnameId");

/** Content that a gateway which serves any path must not serve. */
export function ContentListPage() {
  const { zoneId, hostnameId } = route.useParams();
  const hostname = useApi(call("getWeb3Hostname", { zone_id: zoneId, web3_hostname_id: hostnameId })).data
    ?.result;
  const resource = useMemo(() => contentList(zoneId, hostnameId), [zoneId, hostnameId]);
  return (
    <ResourcePage
      resource={resource}
      of={hostname?.name}
      description="What this gateway does not serve, whoever asks for it."
    />
  );
}
