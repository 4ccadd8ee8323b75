/** A value that is already JSON, to be sent without parsing and serializing it again. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The JSON of a value; `null` for undefined. */
export function renderJson(value: unknown): string {
  return value instanceof JsonText ? value.text : (JSON.stringify(value) ?? "null");
}
