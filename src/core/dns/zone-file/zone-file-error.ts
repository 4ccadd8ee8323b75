/** The first line of a zone file that cannot be read. */
export class ZoneFileError extends Error {
  /** From 1; for a record of several lines the line that it begins on. */
  readonly line: number;
  /** The code for refused data of a record; undefined for a syntax error. */
  readonly code: number | undefined;

  constructor(line: number, message: string, code?: number) {
    super(message);
    this.name = "ZoneFileError";
    this.line = line;
    this.code = code;
  }
}
