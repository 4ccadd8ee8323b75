import type { Plan } from "../../../../src/core/expression/phases.ts";
import { ExpressionInput } from "../../components/expression-input.tsx";
import type { Field, FieldWords } from "../../components/resource/field.tsx";

/** A filter expression, built or written. */
export function expressionField(plan: Plan | undefined, words: FieldWords): Field<string> {
  return {
    ...words,
    control: ({ value, onChange, error }) => (
      <ExpressionInput
        value={value}
        onChange={onChange}
        // What the previous rules may look at is what custom rules may.
        use={{ phase: "http_request_firewall_custom", plan }}
        error={error}
      />
    ),
  };
}
