/** A value that is in its JSON form already, so that it is neither parsed nor rendered again. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The items of a list that are in their JSON form already, joined by commas. */
export class JsonTextList {
  readonly text: string;
  readonly length: number;

  constructor(items: readonly string[]) {
    this.text = items.join(",");
    this.length = items.length;
  }
}

/** The JSON of a value; of `JsonText` what it holds already, of nothing `null`. */
export function renderJson(value: unknown): string {
  return value instanceof JsonText ? value.text : (JSON.stringify(value) ?? "null");
}
