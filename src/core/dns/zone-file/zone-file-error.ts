/** An error in a zone file. */
export class ZoneFileError extends Error {
  /** From 1; the first line of a record with several lines. */
  readonly line: number;
  /** The error code of `parseRdata`; undefined for other errors. */
  readonly code: number | undefined;

  constructor(line: number, message: string, code?: number) {
    super(message);
    this.name = "ZoneFileError";
    this.line = line;
    this.code = code;
  }
}
