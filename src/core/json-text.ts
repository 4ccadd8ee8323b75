/** A value that is in its JSON form already, so that it is neither parsed nor rendered again. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The JSON of a value; of `JsonText` its text, of undefined `null`. */
export function renderJson(value: unknown): string {
  return value instanceof JsonText ? value.text : (JSON.stringify(value) ?? "null");
}
