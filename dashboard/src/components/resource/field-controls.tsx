import type { ApiError } from "../../api/api-error.ts";
import type { Field, Fields } from "./field.tsx";

/** The parts of a draft with their fields, in the order in which they stand. */
export function partsOf<Draft extends object>(
  fields: Fields<Draft>,
): readonly (readonly [keyof Draft & string, Field<never>])[] {
  return (Object.keys(fields) as (keyof Draft & string)[]).map((part) => [
    part,
    fields[part] as unknown as Field<never>,
  ]);
}

/** JSON pointers of the fields in the body, below `root`. */
export function pointersOf<Draft extends object>(fields: Fields<Draft>, root = ""): readonly string[] {
  return partsOf(fields).flatMap(([, { pointer }]) => (pointer === undefined ? [] : root + pointer));
}

const none: ReadonlySet<string> = new Set();

interface FieldControlsProps<Draft extends object> {
  readonly fields: Fields<Draft>;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly error: ApiError | null;
  /** JSON pointer of what they make up; the whole body if left out. */
  readonly root?: string;
  /** Parts that have to be filled in first. */
  readonly gaps?: ReadonlySet<string>;
  /** Whether what cannot be changed later is fixed by now. */
  readonly isMade?: boolean;
}

export function FieldControls<Draft extends object>({
  fields,
  draft,
  onChange,
  error,
  root = "",
  gaps = none,
  isMade = false,
}: FieldControlsProps<Draft>) {
  const parts = partsOf(fields);
  const first = parts.find(([, { isFixed = false }]) => !(isFixed && isMade))?.[0];
  return parts.map(
    ([part, { control: Control, pointer, isFixed = false, label, description, placeholder }]) => (
      <Control
        key={part}
        words={{
          label,
          ...(description !== undefined && { description }),
          ...(placeholder !== undefined && { placeholder }),
        }}
        value={draft[part] as never}
        onChange={(value) => onChange({ ...draft, [part]: value })}
        error={
          gaps.has(part) ? "Fill this in" : pointer === undefined ? undefined : error?.within(root + pointer)
        }
        disabled={isFixed && isMade}
        isFirst={part === first}
      />
    ),
  );
}
