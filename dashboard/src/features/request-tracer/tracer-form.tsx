import {
  Autocomplete,
  Button,
  Card,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  Textarea,
  TextInput,
} from "@mantine/core";

import type { ApiError } from "../../api/api-error.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { readHeaders, type TracedRequest } from "./traced-request.ts";
import { Form } from "../../components/form.tsx";

interface TracerFormProps {
  readonly request: TracedRequest;
  readonly onChange: (request: TracedRequest) => void;
  readonly isPending: boolean;
  readonly error: ApiError | null;
  readonly onTrace: () => void;
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const saidAt = ["/url", "/method", "/headers", "/body", "/context/geoloc/iso_code"];

export function TracerForm({ request, onChange, isPending, error, onTrace }: TracerFormProps) {
  const { bad } = readHeaders(request.headers);
  return (
    <Card withBorder padding="lg" style={{ overflow: "visible" }}>
      <Form
        gap="md"
        onSend={() => {
          if (bad.length === 0) onTrace();
        }}
      >
        <Group gap="md" align="flex-start">
          <Autocomplete
            label="Method"
            data={methods}
            value={request.method}
            error={error?.about("/method")}
            onChange={(method) => onChange({ ...request, method })}
            w={{ base: "100%", sm: 140 }}
          />
          <TextInput
            label="URL"
            type="url"
            required
            withAsterisk={false}
            spellCheck={false}
            value={request.url}
            error={error?.about("/url")}
            onChange={(event) => onChange({ ...request, url: event.currentTarget.value })}
            flex="1 1 20rem"
          />
          <NativeSelect
            label="Protocol"
            data={["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"]}
            value={request.protocol}
            onChange={(event) => onChange({ ...request, protocol: event.currentTarget.value })}
            w={{ base: "100%", sm: 140 }}
          />
        </Group>
        <Group gap="md" align="flex-start" grow preventGrowOverflow={false}>
          <Textarea
            label="Headers"
            placeholder={"User-Agent: curl/8\nCookie: session=1"}
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            classNames={{ input: "monospace" }}
            value={request.headers}
            error={
              bad.length > 0
                ? `Line ${bad.join(", ")}: expected a name, a colon and a value`
                : error?.about("/headers")
            }
            onChange={(event) => onChange({ ...request, headers: event.currentTarget.value })}
            flex="1 1 18rem"
          />
          <Textarea
            label="Body"
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            classNames={{ input: "monospace" }}
            value={request.body}
            error={error?.about("/body")}
            onChange={(event) => onChange({ ...request, body: event.currentTarget.value })}
            flex="1 1 18rem"
          />
        </Group>
        <Group gap="md" align="flex-end">
          <TextInput
            label="Country"
            placeholder="DE"
            maxLength={2}
            value={request.country}
            error={error?.about("/context/geoloc/iso_code")}
            onChange={(event) => onChange({ ...request, country: event.currentTarget.value })}
            w={100}
          />
          <NumberInput
            label="Bot score"
            allowDecimal={false}
            min={0}
            max={99}
            value={request.botScore ?? ""}
            onChange={(score) =>
              onChange({ ...request, botScore: typeof score === "number" ? score : undefined })
            }
            w={120}
          />
          <Checkbox
            label="Challenges are solved"
            checked={request.skipsChallenges}
            onChange={(event) => onChange({ ...request, skipsChallenges: event.currentTarget.checked })}
            pb={8}
          />
        </Group>
        <ErrorAlert title="The request was not traced" error={error} saidAt={saidAt} />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            Trace
          </Button>
        </Group>
      </Form>
    </Card>
  );
}
