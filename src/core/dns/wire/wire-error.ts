/** Octets that are no DNS message, or a name or record that cannot be one. */
export class WireError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WireError";
  }
}
