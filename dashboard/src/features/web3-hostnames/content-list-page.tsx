import { Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";

import type {
  Web3ContentListEntries,
  Web3ContentListEntry,
  Web3ContentListEntryBody,
  Web3Hostname,
} from "../../../../src/resources/web3-hostnames/schema.ts";
import { path, type ApiCall } from "../../api/call.ts";
import { collectionAt } from "../../api/collection.ts";
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
  const { list, ...entries } = collectionAt<Web3ContentListEntry, Web3ContentListEntryBody>(
    path`/zones/${zoneId}/web3/hostnames/${hostnameId}/ipfs_universal_path/content_list/entries`,
    "PUT",
  );
  return {
    noun: "entry",
    title: "Blocked content",
    path: entries.path,
    list: () => list({}) as ApiCall<unknown> as ApiCall<Web3ContentListEntries>,
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
    create: (draft) => entries.create(draft),
    edit: ({ id }, draft) => entries.edit(id, draft),
    remove: ({ id }) => entries.remove(id),
  };
}

const route = getRouteApi("/shell/zones/$zoneId/web3/$hostnameId");

/** What a gateway that serves any path must not serve. */
export function ContentListPage() {
  const { zoneId, hostnameId } = route.useParams();
  const call: ApiCall<Web3Hostname> = {
    method: "GET",
    path: path`/zones/${zoneId}/web3/hostnames/${hostnameId}`,
  };
  const hostname = useApi(call).data?.result;
  const resource = useMemo(() => contentList(zoneId, hostnameId), [zoneId, hostnameId]);
  return (
    <ResourcePage
      resource={resource}
      of={hostname?.name}
      description="What this gateway does not serve, whoever asks for it."
    />
  );
}
