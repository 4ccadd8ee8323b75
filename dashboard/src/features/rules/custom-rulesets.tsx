import { PlusIcon } from "@heroicons/react/24/outline";
import { Button, Group, NativeSelect, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import type { RulesetHead } from "../../../../src/core/rulesets/ruleset.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { CurlCommand } from "../../components/curl-command.tsx";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { Draft, FormModal } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { Form, FormButtons } from "../../components/form.tsx";
import { AnchorLink } from "../../components/links.tsx";
import { rowsAtHand } from "../../components/rows-at-hand.ts";
import { Timestamp } from "../../components/timestamp.tsx";
import { isPhase, phasesOf, phaseTexts } from "../../rule-phases.ts";
import { addressOf, type RulesScope } from "./scope.ts";

interface CustomRulesetsProps {
  readonly scope: RulesScope;
  readonly rulesets: readonly RulesetHead[];
}

/** The rulesets of an account that rules of its phases execute. */
export function CustomRulesets({ scope, rulesets }: CustomRulesetsProps) {
  const [isAdding, adding] = useDisclosure();
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <div>
          <Title order={2}>Custom rulesets</Title>
          <Text size="sm" c="dimmed">
            They run where a rule of their phase executes them.
          </Text>
        </div>
        <Button
          variant="default"
          leftSection={<PlusIcon width={18} aria-hidden />}
          onClick={adding.open}
          data-shortcut="n"
        >
          Add a ruleset
        </Button>
      </Group>
      <DataTable
        label="Custom rulesets"
        query={rowsAtHand(rulesets.filter(({ kind }) => kind === "custom"))}
        rowId={({ id }) => id}
        columns={columns(scope)}
        empty={<EmptyList title="No custom rulesets yet" />}
      />
      {isAdding && <AddRuleset scope={scope} onClose={adding.close} />}
    </Stack>
  );
}

const columns = (scope: RulesScope): readonly Column<RulesetHead>[] => [
  {
    key: "name",
    header: "Ruleset",
    cell: ({ id, name, description }) => (
      <>
        <AnchorLink size="sm" fw={500} to={addressOf(scope, id)}>
          {name}
        </AnchorLink>
        {description !== "" && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
      </>
    ),
  },
  { key: "phase", header: "Phase", width: "30%", cell: ({ phase }) => phaseTexts[phase].title },
  { key: "version", header: "Version", width: "6rem", cell: ({ version }) => version },
  {
    key: "changed",
    header: "Changed",
    width: "10rem",
    cell: ({ last_updated: at }) => <Timestamp at={at} />,
  },
];

function AddRuleset({ scope, onClose }: { readonly scope: RulesScope; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [phase, setPhase] = useState(phasesOf("account")[0] ?? "http_request_firewall_custom");
  const request = call("createRuleset", scope.owner, { name, description, kind: "custom", phase, rules: [] });
  const { mutate, isPending, error } = useApiMutation(() => request, {
    onSuccess: ({ result }) => navigate({ to: addressOf(scope, result.id), ignoreBlocker: true }),
  });
  return (
    <FormModal opened onClose={onClose} title="Add a custom ruleset">
      <Form onSend={() => mutate(undefined)}>
        <Draft isChanged={name !== "" || description !== ""} />
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          data-autofocus
          value={name}
          error={error?.about("/name")}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Description"
          value={description}
          error={error?.about("/description")}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <NativeSelect
          label="Phase"
          data={phasesOf("account").map((one) => ({ value: one, label: phaseTexts[one].title }))}
          value={phase}
          error={error?.about("/phase")}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (isPhase(value)) setPhase(value);
          }}
        />
        <CurlCommand call={request} />
        <ErrorAlert
          title="The ruleset was not added"
          error={error}
          saidAt={["/name", "/description", "/phase"]}
        />
        <FormButtons action="Add" pending={isPending} onCancel={onClose} />
      </Form>
    </FormModal>
  );
}
