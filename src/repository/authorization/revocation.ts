// Tokens that a client revokes (R30; RFC 7009): a refresh token ends the grant with all its tokens; an access token
// ends alone. Every holder of a token may end it. An unknown or ended token is not an error.
import { GUEST } from "../../auth/account.ts";
import { isGrantToken, parseSecret } from "../../auth/credential-text.ts";
import { OAuthRefusal, type TokenRequestIn, tokenForm } from "../../auth/token-request.ts";
import { matchesHash } from "../../shared/hash/digests.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { RepositoryStore } from "../store/store.ts";
import { audit, endGrantIn } from "./grants.ts";

export interface Revocation {
  /**
   * @throws 1106, invalid_client for a client that is not the token's, unsupported_token_type for a token that is ended
   * elsewhere
   */
  revoke(request: Pick<TokenRequestIn, "contentType" | "body">, address: string): Promise<void>;
}

type RevocationNeeds = { readonly store: Pick<RepositoryStore, "transact">; readonly clock: Clock };

const JWT = /^[A-Za-z0-9_-]{1,4000}\.[A-Za-z0-9_-]{1,4000}\.[A-Za-z0-9_-]{1,4000}$/;

export const revocation = ({ store, clock }: RevocationNeeds): Revocation => ({
  async revoke(request, address) {
    const { parameters } = tokenForm(request);
    const text = parameters.get("token") ?? "";
    if (text === "") throw new OAuthRefusal("invalid_request", "The parameter token is missing");
    const sent = parseSecret(text);
    if (!isGrantToken(text)) {
      // Recognized by its form alone, whether the token exists or not.
      if (sent === null && !JWT.test(text)) return;
      throw new OAuthRefusal(
        "unsupported_token_type",
        "Personal tokens end on the page of tokens, tokens of client credentials with their client",
      );
    }
    if (sent === null) return;
    const clientId = parameters.get("client_id") ?? "";
    const isOther = await store.transact(async (tx) => {
      const found = await tx.grants.grantSecret(sent.id);
      const matches = matchesHash(sent.random, found?.hash);
      const grant = found === null || !matches ? null : await tx.grants.heldGrant(found.grantId);
      if (found === null || grant === null || grant.endedAt !== null) return false;
      if (clientId !== "" && clientId !== grant.clientId) return true;
      const at = clock.now();
      const account = await tx.accounts.account(grant.accountId);
      const viewer = { ...GUEST, account, clientId: grant.id, address };
      if (found.kind !== "access") await endGrantIn(tx, viewer, at, grant, "client");
      else if (await tx.grants.useGrantSecret(found.id, at)) {
        await audit(tx, viewer, at, grant, "token-revoke", { client: grant.clientId, secret: found.id });
      }
      return false;
    });
    if (isOther) throw new OAuthRefusal("invalid_client", "The token belongs to another client");
  },
});
