/** Where a directive begins: file name, and line number from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** An error in a file of rules, or an unsupported feature of the language. */
export class SecLangError extends Error {
  override readonly name = "SecLangError";
  readonly place: Place;

  constructor(place: Place, message: string) {
    super(`${place.file}:${place.line}: ${message}`);
    this.place = place;
  }
}
