import { DocumentDuplicateIcon, PencilSquareIcon, TrashIcon } from "@heroicons/react/24/outline";
import { ActionIcon, Group } from "@mantine/core";

import type { DnsRecord } from "../../../../src/resources/dns-records/schema.ts";
import type { Column } from "../../components/data-table.tsx";

interface RecordActions {
  readonly onEdit: (record: DnsRecord) => void;
  readonly onDuplicate: (record: DnsRecord) => void;
  readonly onDelete: (record: DnsRecord) => void;
}

/** The column with what can be done to a record. */
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
