/** A value that is already JSON, to be sent without parsing and serializing it again. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Items of a list that are already JSON, joined by commas. */
export class JsonItems {
  readonly text: string;
  readonly length: number;

  constructor(text: string, length: number) {
    this.text = text;
    this.length = length;
  }
}

/** The JSON of items, joined by commas. */
export function renderItems(items: readonly unknown[] | JsonItems): string {
  return items instanceof JsonItems ? items.text : items.map(renderJson).join(",");
}

/** The JSON of a value; `null` for undefined. */
export function renderJson(value: unknown): string {
  return value instanceof JsonText ? value.text : (JSON.stringify(value) ?? "null");
}
