/** Two numbers without meaning, in the form of the public service. */
export function newVerificationKey(newId: () => string): string {
  const digits = BigInt(`0x${newId()}`).toString().padStart(18, "0");
  return `${digits.slice(0, 9)}-${digits.slice(9, 18)}`;
}
