import { MultiSelect, SegmentedControl, TextInput } from "@mantine/core";
import { useState } from "react";

import type { Member, MemberPolicyBody } from "../../../../src/resources/memberships/schema.ts";
import { call } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { CurlCommand } from "../../components/curl-command.tsx";
import { differs, Draft, FormModal } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { Form, FormButtons } from "../../components/form.tsx";
import { emptyPolicyOf, MemberPolicies } from "./member-policies.tsx";
import { bodyOfPolicy, isByRoles } from "./member-rights.ts";
import { showDone } from "../../components/notices.tsx";

interface MemberModalProps {
  readonly accountId: string;
  /** Undefined to invite somebody. */
  readonly member: Member | undefined;
  readonly onDone: () => void;
  readonly onInvited: (invited: Member) => void;
}

/** The rights of a member while they are edited, in both forms. */
interface RightsDraft {
  readonly by: "roles" | "policies";
  readonly roleIds: readonly string[];
  readonly policies: readonly MemberPolicyBody[];
}

function draftOf(member: Member | undefined, accountId: string): RightsDraft {
  if (member === undefined) return { by: "roles", roleIds: [], policies: [emptyPolicyOf(accountId)] };
  const isRoles = isByRoles(member, accountId);
  return {
    by: isRoles ? "roles" : "policies",
    roleIds: isRoles ? member.roles.map(({ id }) => id) : [],
    policies: member.policies.map(bodyOfPolicy),
  };
}

export function MemberModal({ accountId, member, onDone, onInvited }: MemberModalProps) {
  const [email, setEmail] = useState(member?.email ?? "");
  const [initial] = useState(() => draftOf(member, accountId));
  const [draft, setDraft] = useState(initial);
  const { by, roleIds, policies } = draft;
  const roles = useApi(call("listRoles", { account_id: accountId }));
  const rights = by === "roles" ? { roles: [...roleIds] } : { policies: [...policies] };
  const request =
    member === undefined
      ? call("addMember", { account_id: accountId }, { email: email.trim(), ...rights })
      : call("editMember", { account_id: accountId, member_id: member.id }, rights);
  const { mutate, isPending, error } = useApiMutation(() => request, {
    onSuccess: ({ result }) => {
      showDone(member === undefined ? `${email} was invited.` : `${email} now has different rights.`);
      if (member === undefined) onInvited(result);
      onDone();
    },
  });
  const isGiven =
    by === "roles"
      ? roleIds.length > 0
      : policies.every((policy) => policy.permission_groups.length > 0 && policy.resource_groups.length > 0);
  const isWhole = email.trim() !== "" && isGiven;
  return (
    <FormModal
      opened
      onClose={onDone}
      size="lg"
      title={member === undefined ? "Invite a member" : `Roles of ${member.email}`}
    >
      <Form onSend={() => mutate(undefined)}>
        <Draft isChanged={email !== (member?.email ?? "") || differs(initial, draft)} />
        {member === undefined && (
          <TextInput
            label="E-mail"
            type="email"
            description="The user who signs in with this address can accept or reject the invite."
            required
            withAsterisk={false}
            data-autofocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={error?.about("/email")}
          />
        )}
        <SegmentedControl
          aria-label="Rights"
          data={[
            { value: "roles", label: "Roles in the whole account" },
            { value: "policies", label: "Policies" },
          ]}
          value={by}
          onChange={(value) => setDraft({ ...draft, by: value === "policies" ? "policies" : "roles" })}
        />
        {by === "roles" ? (
          <MultiSelect
            label="Roles"
            placeholder={roleIds.length === 0 ? "Choose roles" : ""}
            searchable
            data={(roles.data?.result ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={[...roleIds]}
            onChange={(ids) => setDraft({ ...draft, roleIds: ids })}
          />
        ) : (
          <MemberPolicies
            accountId={accountId}
            policies={policies}
            onChange={(next) => setDraft({ ...draft, policies: next })}
          />
        )}
        <ErrorAlert title="The roles could not be listed" error={roles.error} />
        {isWhole && <CurlCommand call={request} />}
        <ErrorAlert title="Nothing was changed" error={error} saidAt={["/email"]} />
        <FormButtons
          action={member === undefined ? "Invite" : "Save"}
          pending={isPending}
          disabled={!isWhole}
          onCancel={onDone}
        />
      </Form>
    </FormModal>
  );
}
