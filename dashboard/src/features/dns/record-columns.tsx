import { Badge, Group, Text } from "@mantine/core";

import type { DnsRecord } from "../../api/dns-records.ts";
import type { Column } from "../../components/data-table.tsx";
import { relativeName } from "./record-draft.ts";
import { ttlText } from "./ttl.ts";

/** The columns of records that are only shown. */
export const recordColumns: readonly Column<DnsRecord>[] = [
  {
    key: "type",
    header: "Type",
    order: "type",
    width: "6.5rem",
    cell: ({ type }) => (
      <Text size="sm" fw={600} className="monospace">
        {type}
      </Text>
    ),
  },
  {
    key: "name",
    header: "Name",
    order: "name",
    width: "26%",
    cell: ({ name, zone_name }) => (
      <Text size="sm" fw={500} title={name}>
        {relativeName(name, zone_name)}
      </Text>
    ),
  },
  {
    key: "content",
    header: "Content",
    order: "content",
    cell: ({ content, priority, comment, tags }) => (
      <>
        <Text size="sm" className="monospace" lineClamp={2}>
          {priority !== undefined && `${priority} `}
          {content}
        </Text>
        {(comment !== null || tags.length > 0) && (
          <Group gap={6} mt={2}>
            {comment !== null && (
              <Text size="xs" c="dimmed">
                {comment}
              </Text>
            )}
            {tags.map((tag) => (
              <Badge key={tag} size="sm" variant="light" color="gray" tt="none">
                {tag}
              </Badge>
            ))}
          </Group>
        )}
      </>
    ),
  },
  {
    key: "proxied",
    header: "Proxy",
    order: "proxied",
    width: "7rem",
    cell: ({ proxied }) =>
      proxied ? (
        <Badge variant="light" color="orange" tt="none">
          Proxied
        </Badge>
      ) : (
        <Text size="sm" c="dimmed">
          DNS only
        </Text>
      ),
  },
  { key: "ttl", header: "TTL", order: "ttl", width: "5.5rem", cell: ({ ttl }) => ttlText(ttl) },
];
