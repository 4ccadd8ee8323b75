export interface Entry {
  readonly name: string;
  readonly value: string;
}
