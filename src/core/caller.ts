/** Who a request acts as, once its credentials were found good. */
export interface Caller {
  readonly user: { readonly id: string; readonly email: string };
  /** `key` is e-mail and Global API Key; a token acts within what its owning user may do now (decision 10). */
  readonly credential: { readonly kind: "key" } | { readonly kind: "token"; readonly tokenId: string };
  /** Accounts in which the user has an accepted membership, the oldest first. */
  readonly accountIds: readonly string[];
}
