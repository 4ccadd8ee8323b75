export interface Consequence {
  readonly setting: string;
  readonly becomes: string | undefined;
}
