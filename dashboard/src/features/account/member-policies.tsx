import { PlusIcon } from "@heroicons/react/24/outline";
import { Button, Card, Group, MultiSelect, Select, Stack, Text } from "@mantine/core";

import type {
  MemberPermissionGroup,
  MemberPolicyBody,
} from "../../../../src/resources/memberships/schema.ts";
import { call, wholeList } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { RemoveButton } from "../../components/icon-button.tsx";

interface MemberPoliciesProps {
  readonly accountId: string;
  readonly policies: readonly MemberPolicyBody[];
  readonly onChange: (policies: readonly MemberPolicyBody[]) => void;
}

/** A policy that permits nothing yet, in the whole account. */
export const emptyPolicyOf = (accountId: string): MemberPolicyBody => ({
  access: "allow",
  permission_groups: [],
  resource_groups: [{ id: accountId }],
});

/** The policies of a member: each permits or denies groups of permissions on groups of resources. */
export function MemberPolicies({ accountId, policies, onChange }: MemberPoliciesProps) {
  const permissions = useApi(call("listMemberPermissionGroups", { account_id: accountId }, wholeList));
  const resources = useApi(call("listResourceGroups", { account_id: accountId }));
  const groups = permissions.data?.result ?? [];
  const places = (resources.data?.result ?? []).map(({ id, name }) => ({
    value: id,
    label: id === accountId ? "The whole account" : name,
  }));
  return (
    <Stack gap="sm">
      <ErrorAlert title="The permissions could not be listed" error={permissions.error} />
      <ErrorAlert title="The resource groups could not be listed" error={resources.error} />
      {policies.map((policy, index) => {
        const change = (part: Partial<MemberPolicyBody>): void =>
          onChange(policies.with(index, { ...policy, ...part }));
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a policy has no name but its place
          <Card key={index} withBorder component="fieldset" m={0} aria-label={`Policy ${index + 1}`}>
            <Stack gap="sm">
              <Group justify="space-between">
                <Text fw={600} size="sm">
                  Policy {index + 1}
                </Text>
                {policies.length > 1 && (
                  <RemoveButton
                    label={`Remove policy ${index + 1}`}
                    onClick={() => onChange(policies.toSpliced(index, 1))}
                  />
                )}
              </Group>
              <Select
                label="Effect"
                data={[
                  { value: "allow", label: "Allow" },
                  { value: "deny", label: "Deny, whatever else allows it" },
                ]}
                value={policy.access}
                allowDeselect={false}
                onChange={(access) => change({ access: access === "deny" ? "deny" : "allow" })}
              />
              <MultiSelect
                label="Permissions"
                placeholder={policy.permission_groups.length === 0 ? "Search permissions" : ""}
                searchable
                hidePickedOptions
                nothingFoundMessage="No permission matches"
                data={byScope(groups)}
                value={idsOf(policy.permission_groups)}
                onChange={(ids) => change({ permission_groups: ids.map((id) => ({ id })) })}
              />
              <MultiSelect
                label="Resource groups"
                placeholder={policy.resource_groups.length === 0 ? "Choose resource groups" : ""}
                searchable
                data={places}
                value={idsOf(policy.resource_groups)}
                onChange={(ids) => change({ resource_groups: ids.map((id) => ({ id })) })}
              />
            </Stack>
          </Card>
        );
      })}
      <Group>
        <Button
          variant="default"
          leftSection={<PlusIcon width={18} aria-hidden />}
          onClick={() => onChange([...policies, emptyPolicyOf(accountId)])}
        >
          Add a policy
        </Button>
      </Group>
    </Stack>
  );
}

/** The groups under what they fit: zones too, or only the whole account. */
function byScope(groups: readonly MemberPermissionGroup[]) {
  const fits = (isOfZones: boolean) =>
    groups
      .filter(({ meta }) => meta.scopes.endsWith(".zone") === isOfZones)
      .map(({ id, name }) => ({ value: id, label: name }));
  return [
    { group: "For the whole account", items: fits(false) },
    { group: "For zones as well", items: fits(true) },
  ];
}

function idsOf(things: readonly { readonly id: string }[]): string[] {
  return things.map(({ id }) => id);
}
