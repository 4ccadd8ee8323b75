import { ExclamationTriangleIcon } from "@heroicons/react/24/outline";
import { Alert, Button, Code, Group, List, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { ApiError, plainText } from "../api/api-error.ts";
import { sessionEndQuery } from "../api/session.ts";

interface ErrorAlertProps {
  readonly error: Error | null;
  /** The failed action, as a sentence without a full stop. */
  readonly title?: string | undefined;
  readonly onRetry?: (() => void) | undefined;
  /** JSON pointers of the fields that say themselves what is wrong with them. */
  readonly saidAt?: readonly string[];
}

const nowhere: readonly string[] = [];

/** A failure with every message and code of the API; nothing where there is none. */
export function ErrorAlert({ error, ...how }: ErrorAlertProps) {
  return error !== null && <Failure error={error} {...how} />;
}

interface PendingProps extends Pick<ErrorAlertProps, "error" | "onRetry"> {
  readonly height: number;
  readonly title: string;
}

/** In place of an answer: a sketch of what it will take, and then why it did not come. */
export function Pending({ height, error, ...how }: PendingProps) {
  return error === null ? <Skeleton height={height} radius="md" /> : <ErrorAlert error={error} {...how} />;
}

function Failure({
  error,
  title = "That did not work",
  onRetry,
  saidAt = nowhere,
}: ErrorAlertProps & { readonly error: Error }) {
  const { data: end } = useQuery(sessionEndQuery);
  // The failure says nothing any more to somebody who has signed in again.
  if (end?.hasEnded === false && end.refusals.includes(error)) return undefined;
  return (
    <Alert
      color="red"
      title={title}
      role="alert"
      icon={<ExclamationTriangleIcon width={20} aria-hidden />}
      styles={{ title: { fontWeight: 600 } }}
    >
      <Stack gap="xs">
        {error instanceof ApiError ? (
          <Details error={error} saidAt={saidAt} />
        ) : (
          <Text size="sm">{error.message}</Text>
        )}
        {onRetry !== undefined && (
          <Group>
            <Button size="xs" variant="default" onClick={onRetry}>
              Try again
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

interface DetailsProps {
  readonly error: ApiError;
  readonly saidAt: readonly string[];
}

function Details({ error: { details, status }, saidAt }: DetailsProps) {
  const others = details.filter(({ source }) => !saidAt.includes(source?.pointer ?? ""));
  if (others.length === 0)
    return <Text size="sm">See the marked {details.length === 1 ? "field" : "fields"}.</Text>;
  return (
    <List size="sm" spacing={4} listStyleType="none" withPadding={false}>
      {others.map(({ code, message, source, error_chain: chain = [] }) => (
        <List.Item key={`${code} ${message} ${source?.pointer}`}>
          {plainText(message)}
          {code !== 0 && (
            <>
              {" "}
              <Code>
                code {code}
                {code !== status && `, HTTP ${status}`}
              </Code>
            </>
          )}
          {chain
            .filter((cause) => cause.message !== message)
            .map((cause) => (
              <Text key={`${cause.code} ${cause.message}`} size="sm" c="dimmed">
                {plainText(cause.message)} (code {cause.code})
              </Text>
            ))}
        </List.Item>
      ))}
    </List>
  );
}
