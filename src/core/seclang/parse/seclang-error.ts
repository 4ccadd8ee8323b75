export interface Location {
  readonly file: string;
  readonly line: number;
}

/** An error in a file of rules, or an unsupported feature of the language. */
export class SecLangError extends Error {
  override readonly name = "SecLangError";
  readonly location: Location;

  constructor(location: Location, message: string) {
    super(`${location.file}:${location.line}: ${message}`);
    this.location = location;
  }
}
