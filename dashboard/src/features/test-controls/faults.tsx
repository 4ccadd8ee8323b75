import { TrashIcon } from "@heroicons/react/24/outline";
import { Button, Code, Group, Menu, Switch, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { presetNames, type PresetName } from "../../../../src/core/test-controls/fault.ts";
import { call, type ResultOf } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { AddFault } from "./add-fault.tsx";

type Fault = ResultOf<"listFaults">[number];

const refreshMs = 2_000;

/** The rules that make requests fail, to be added, switched and removed. */
export function Faults() {
  const faults = useApi(call("listFaults", {}), { refetchInterval: refreshMs });
  const [isAdding, adding] = useDisclosure();
  const add = useApiMutation((preset: PresetName) => call("createFaults", {}, { preset }));
  const toggle = useApiMutation(({ id, on }: Pick<Fault, "id" | "on">) =>
    call("switchFault", { fault_id: id }, { on }),
  );
  const remove = useApiMutation((id: string) => call("deleteFault", { fault_id: id }));
  return (
    <section aria-label="Faults">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          Faults
        </Title>
        <Group gap="xs">
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default">Add a preset</Button>
            </Menu.Target>
            <Menu.Dropdown>
              {presetNames.map((preset) => (
                <Menu.Item key={preset} onClick={() => add.mutate(preset)}>
                  {preset}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          <Button onClick={adding.open}>Add a fault</Button>
        </Group>
      </Group>
      <ErrorAlert error={add.error ?? toggle.error ?? remove.error} />
      <DataTable
        label="Faults"
        query={faults}
        rowId={({ id }) => id}
        columns={columns(toggle.mutate, remove.mutate)}
        empty={<EmptyList title="No faults">Every request is answered as it should be.</EmptyList>}
      />
      {isAdding && <AddFault onClose={adding.close} />}
    </section>
  );
}

function columns(
  onSwitch: (change: Pick<Fault, "id" | "on">) => void,
  onRemove: (id: string) => void,
): readonly Column<Fault>[] {
  return [
    {
      key: "on",
      header: "On",
      width: "4rem",
      cell: ({ id, on }) => (
        <Switch
          aria-label={`Fault ${id} acts`}
          checked={on}
          onChange={(event) => onSwitch({ id, on: event.currentTarget.checked })}
        />
      ),
    },
    { key: "name", header: "Fault", cell: ({ id, name }) => <Text size="sm">{name ?? `Fault ${id}`}</Text> },
    { key: "match", header: "Requests", cell: ({ match }) => <Code>{JSON.stringify(match)}</Code> },
    { key: "effect", header: "Effect", cell: ({ effect }) => <Code>{JSON.stringify(effect)}</Code> },
    { key: "acted", header: "Acted", cell: ({ acted, matched }) => `${acted} of ${matched}` },
    {
      key: "remove",
      header: "Remove",
      isActions: true,
      cell: ({ id }) => (
        <IconButton Icon={TrashIcon} color="red" label={`Remove fault ${id}`} onClick={() => onRemove(id)} />
      ),
    },
  ];
}
