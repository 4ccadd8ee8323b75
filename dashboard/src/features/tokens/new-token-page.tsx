import { Alert, Card, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";

import type { TokenPermissionGroup } from "../../../../src/resources/tokens/schema.ts";
import { call } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { sessionQuery } from "../../api/session.ts";
import { Pending } from "../../components/error-alert.tsx";
import { ButtonLink, CardLink } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import type { NewTokenSearch } from "./search.ts";
import { SecretCard } from "./secret-card.tsx";
import { bodyOf, vendorOf, type TokenDraft } from "./token-draft.ts";
import { TokenForm } from "./token-form.tsx";
import { tokenAddress, useTokenOwner } from "./token-owner.ts";
import { draftOfTemplate, templateNames, tokenTemplates, type TemplateName } from "./token-templates.ts";
import classes from "./new-token-page.module.css";

/** Makes a token: by a template, then its policies, then the secret, which is shown once. */
export function NewTokenPage() {
  const { template }: NewTokenSearch = useSearch({ strict: false });
  const { owner, name } = useTokenOwner();
  const listGroups = call("listPermissionGroups", owner);
  const groups = useApi(listGroups);
  return (
    <>
      <PageHeader
        title={template === undefined ? "New API token" : tokenTemplates[template].title}
        of={name ?? (template === undefined ? undefined : "New API token")}
        description={template === undefined ? "What is it for?" : tokenTemplates[template].text}
        calls={[{ title: "List the permission groups", call: listGroups }]}
      />
      {template === undefined ? (
        <Templates />
      ) : groups.data === undefined ? (
        <Pending height={320} title="The permissions could not be listed" error={groups.error} />
      ) : (
        <Create key={template} template={template} groups={groups.data.result} />
      )}
    </>
  );
}

function Templates() {
  const { page } = useTokenOwner();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {templateNames.map((name) => (
        <CardLink
          key={name}
          withBorder
          className={classes.template ?? ""}
          to={tokenAddress(page, "new")}
          search={{ template: name }}
        >
          <Title order={2} size="md" mb={4}>
            {tokenTemplates[name].title}
          </Title>
          <Text size="sm" c="dimmed">
            {tokenTemplates[name].text}
          </Text>
        </CardLink>
      ))}
    </SimpleGrid>
  );
}

interface CreateProps {
  readonly template: TemplateName;
  readonly groups: readonly TokenPermissionGroup[];
}

function Create({ template, groups }: CreateProps) {
  const navigate = useNavigate();
  const { owner, page, accountId } = useTokenOwner();
  const { user } = useSuspenseQuery(sessionQuery).data;
  const callOf = (draft: TokenDraft) =>
    call("createToken", owner, bodyOf(draft, { vendor: vendorOf(groups), userId: user.id }));
  const { mutate, isPending, error, data } = useApiMutation(callOf);
  if (data !== undefined)
    return (
      <Card withBorder padding="lg" maw="44rem">
        <Stack>
          <Title order={2}>{data.result.name} is made</Title>
          {data.messages.map(({ code, message }) => (
            <Alert key={`${code} ${message}`} color="yellow" role="note">
              {message}
            </Alert>
          ))}
          <SecretCard secret={data.result.value} />
          <Group>
            <ButtonLink to={page} ignoreBlocker>
              I have saved it
            </ButtonLink>
          </Group>
        </Stack>
      </Card>
    );
  return (
    <TokenForm
      initial={draftOfTemplate(template, groups, accountId)}
      groups={groups}
      action="Create the token"
      pending={isPending}
      error={error}
      callOf={callOf}
      onSubmit={mutate}
      onCancel={() => void navigate({ to: page })}
    />
  );
}
