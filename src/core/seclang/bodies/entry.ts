/** A name and value of a request, both as byte strings. */
export interface Entry {
  readonly name: string;
  readonly value: string;
}
