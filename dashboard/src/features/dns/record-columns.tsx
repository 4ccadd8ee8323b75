import {
  DocumentDuplicateIcon,
  PencilSquareIcon,
  TrashIcon,
  ViewColumnsIcon,
} from "@heroicons/react/24/outline";
import { ActionIcon, Badge, Button, Group, Menu, Text } from "@mantine/core";

import type { DnsRecord } from "../../../../src/resources/dns-records/schema.ts";
import type { Column } from "../../components/data-table.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { relativeName } from "./record-draft.ts";
import { ttlText } from "./record-form-fields.ts";

/** The columns of records that are only shown. */
export const recordColumns: readonly Column<DnsRecord>[] = [
  {
    key: "type",
    header: "Type",
    order: "type",
    width: "6rem",
    phoneLine: 1,
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
    width: "20%",
    phoneLine: 1,
    isWide: true,
    cell: ({ name, zone_name }) => (
      <Text size="sm" fw={500} title={name} truncate>
        {relativeName(name, zone_name)}
      </Text>
    ),
  },
  {
    key: "content",
    header: "Content",
    order: "content",
    phoneLine: 2,
    isWide: true,
    cell: ({ content, priority }) => (
      <Text size="sm" className="monospace" title={content} truncate>
        {priority !== undefined && `${priority} `}
        {content}
      </Text>
    ),
  },
  {
    key: "comment",
    header: "Comment",
    width: "14%",
    phoneLine: 3,
    cell: ({ comment }) =>
      comment !== null && (
        <Text size="xs" c="dimmed" title={comment} truncate>
          {comment}
        </Text>
      ),
  },
  {
    key: "tags",
    header: "Tags",
    width: "12%",
    phoneLine: 3,
    cell: ({ tags }) => (
      <Group gap={6} wrap="nowrap">
        {tags.map((tag) => (
          <Badge key={tag} size="sm" variant="light" color="gray" tt="none" title={tag}>
            {tag}
          </Badge>
        ))}
      </Group>
    ),
  },
  {
    key: "proxied",
    header: "Proxy",
    order: "proxied",
    width: "6.5rem",
    phoneLine: 2,
    cell: ({ proxied }) =>
      proxied ? (
        <Badge variant="light" color="orange" tt="none">
          Proxied
        </Badge>
      ) : (
        <Text size="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
          DNS only
        </Text>
      ),
  },
  {
    key: "ttl",
    header: "TTL",
    order: "ttl",
    width: "4.5rem",
    phoneLine: 2,
    cell: ({ ttl }) => ttlText(ttl),
  },
  {
    key: "modified",
    header: "Changed",
    width: "8rem",
    phoneLine: 3,
    cell: ({ modified_on }) => <Timestamp at={modified_on} />,
  },
];

/** Columns that a list of records can do without. */
export const optionalColumns = recordColumns.filter(({ key }) => !["type", "name", "content"].includes(key));

/** Hidden until somebody chooses them. */
export const columnsHiddenAtFirst: readonly string[] = ["tags", "modified"];

interface RecordActions {
  readonly onEdit: (record: DnsRecord) => void;
  readonly onDuplicate: (record: DnsRecord) => void;
  readonly onDelete: (record: DnsRecord) => void;
}

export function recordActions({ onEdit, onDuplicate, onDelete }: RecordActions): Column<DnsRecord> {
  const actions = [
    { verb: "Edit", Icon: PencilSquareIcon, color: "gray", act: onEdit },
    { verb: "Duplicate", Icon: DocumentDuplicateIcon, color: "gray", act: onDuplicate },
    { verb: "Delete", Icon: TrashIcon, color: "red", act: onDelete },
  ] as const;
  return {
    key: "actions",
    header: "Actions",
    width: "7rem",
    isActions: true,
    cell: (record) => (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        {actions.map(({ verb, Icon, color, act }) => (
          <ActionIcon
            key={verb}
            variant="subtle"
            color={color}
            size="sm"
            aria-label={`${verb} the ${record.type} record ${record.name}`}
            onClick={() => act(record)}
          >
            <Icon width={16} aria-hidden />
          </ActionIcon>
        ))}
      </Group>
    ),
  };
}

interface ColumnChoiceProps {
  readonly columns: readonly { readonly key: string; readonly header: string }[];
  readonly hidden: readonly string[];
  readonly onHide: (hidden: string[]) => void;
}

/** Lets people choose the columns that a list can do without. */
export function ColumnChoice({ columns, hidden, onHide }: ColumnChoiceProps) {
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button variant="default" visibleFrom="sm" leftSection={<ViewColumnsIcon width={18} aria-hidden />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map(({ key, header }) => (
          <Menu.CheckboxItem
            key={key}
            checked={!hidden.includes(key)}
            onChange={(isShown) =>
              onHide(isShown ? hidden.filter((other) => other !== key) : [...hidden, key])
            }
          >
            {header}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
