/** Where a directive begins: the name of its file, and the number of its line from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** What is wrong with a file of rules, or what of the language is not supported. */
export class SecLangError extends Error {
  override readonly name = "SecLangError";
  readonly place: Place;

  constructor(place: Place, message: string) {
    super(`${place.file}:${place.line}: ${message}`);
    this.place = place;
  }
}
