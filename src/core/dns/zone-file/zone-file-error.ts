/** The first line of a zone file that cannot be read. */
export class ZoneFileError extends Error {
  /** 1 for the first line of the file; for a record of several lines, the one that it begins on. */
  readonly line: number;
  /** Of the v4 contract, when the data of a record was refused; undefined for an error of syntax. */
  readonly code: number | undefined;

  constructor(line: number, message: string, code?: number) {
    super(message);
    this.name = "ZoneFileError";
    this.line = line;
    this.code = code;
  }
}
