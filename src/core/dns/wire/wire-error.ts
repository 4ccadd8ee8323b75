/** Octets that are not a DNS message, or a name or record that no message can hold. */
export class WireError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WireError";
  }
}
