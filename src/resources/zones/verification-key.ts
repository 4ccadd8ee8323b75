/** Two numbers as the public service gives them: a value to publish, with no meaning of its own. */
export function newVerificationKey(newId: () => string): string {
  const digits = BigInt(`0x${newId()}`).toString().padStart(18, "0");
  return `${digits.slice(0, 9)}-${digits.slice(9, 18)}`;
}
