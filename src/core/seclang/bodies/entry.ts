/** A named value of a request, both byte strings. */
export interface Entry {
  readonly name: string;
  readonly value: string;
}
