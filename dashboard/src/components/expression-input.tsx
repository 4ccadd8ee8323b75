import { Radio, Stack } from "@mantine/core";

import type { ExpressionUse } from "../expression/checker.ts";
import { ExpressionBuilder } from "./expression-builder.tsx";
import { ExpressionEditor } from "./expression-editor.tsx";

interface ExpressionInputProps {
  readonly value: string;
  readonly onChange: (source: string) => void;
  readonly use: ExpressionUse;
  /** The server's message about the expression. */
  readonly error?: string | undefined;
}

/** Chooses the requests of a rule: all, or those that match an expression, which is built or written. */
export function ExpressionInput({ value, onChange, use, error }: ExpressionInputProps) {
  const isAll = value.trim() === "true";
  return (
    <Stack gap="sm">
      <Radio.Group
        label="For"
        value={isAll ? "all" : "some"}
        onChange={(chosen) => onChange(chosen === "all" ? "true" : "")}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="all" label="All requests" />
          <Radio value="some" label="Requests that an expression matches" />
        </Stack>
      </Radio.Group>
      {!isAll && (
        <>
          <ExpressionBuilder value={value} onChange={onChange} use={use} />
          <ExpressionEditor
            label="Expression"
            description='For example: http.host eq "www.example.com" and starts_with(http.request.uri.path, "/api/")'
            value={value}
            onChange={onChange}
            use={use}
            error={error}
          />
        </>
      )}
    </Stack>
  );
}
