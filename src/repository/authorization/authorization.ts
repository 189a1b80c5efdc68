// What a person is asked when a program wants to act in the person's name (R30; RFC 6749 4.1, RFC 7636, RFC 8707, RFC
// 9207): the request is read, the person allows or refuses it, and later sees and ends what was allowed. Pages show it
// (plugins/repository/site), the token endpoint goes on from it.
import type { Account, Viewer } from "../../auth/account.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { originProblem, writeAs } from "../people/current-viewer.ts";
import type { Grant } from "../store/grants.ts";
import type { RepositoryStore } from "../store/store.ts";
import type { ToolScope } from "../tools/tool.ts";
import { AskFault, type AuthorizationAsk, readAsk, STATE_MAX } from "./ask.ts";
import { admitsRedirect } from "./client-metadata.ts";
import type { AuthorizationClient, Clients, KnownClient } from "./clients.ts";
import { endGrantIn, openGrantIn } from "./grants.ts";
import { expanded } from "./scopes.ts";
import { issueCode } from "./secrets.ts";

/** `refuse`: shown to the person, without a redirect, because the redirect URI is not trusted (RFC 6749 4.1.2.1). */
type AuthorizationReading =
  | { readonly kind: "ask"; readonly ask: AuthorizationAsk }
  | { readonly kind: "redirect"; readonly location: string }
  | { readonly kind: "refuse"; readonly message: string };

type ShownGrant = Pick<Grant, "id" | "clientName" | "clientId" | "scopes" | "resource" | "createdAt" | "lastUsedAt">;

export interface Authorization {
  readAuthorization(query: URLSearchParams): Promise<AuthorizationReading>;
  /**
   * Where to send the person, with a code. `scopes`: of those asked for.
   *
   * @throws Refusal `unauthenticated`, `forbidden`, `invalid`
   */
  allow(viewer: Viewer, ask: AuthorizationAsk, scopes: readonly ToolScope[]): Promise<string>;
  /**
   * Where to send the person, with a refusal: the person's own, unless another error is named, with a sentence in
   * ASCII.
   */
  deny(ask: AuthorizationAsk, error?: string, description?: string): string;
  /** Living ones, in the order they were made; none whose token, with which the person signed in, has ended. */
  grantsOf(viewer: Viewer): Promise<readonly ShownGrant[]>;
  /**
   * Ends a grant and all its tokens at once; one that has ended stays so.
   *
   * @throws Refusal `not_found` for one that is not the viewer's own
   */
  endGrant(viewer: Viewer, id: string): Promise<void>;
}

export type AuthorizationNeeds = {
  readonly store: Pick<RepositoryStore, "accounts" | "grants" | "transact">;
  readonly clock: Clock;
  readonly random: Random;
  readonly clients: Clients;
  /** The issuer (RFC 8414), below which the resources lie. */
  readonly baseUrl: string;
};

export const authorization = (needs: AuthorizationNeeds): Authorization => {
  const { store, clock, clients, baseUrl } = needs;

  /** The redirect URI with the parameters of the response; `iss` names the issuer (RFC 9207). */
  function sentBack(redirectUri: string, state: string | null, response: Readonly<Record<string, string>>): string {
    const query = new URLSearchParams({ ...response, ...(state === null ? {} : { state }), iss: baseUrl });
    return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${query}`;
  }

  async function readAuthorization(query: URLSearchParams): Promise<AuthorizationReading> {
    const refuse = (message: string): AuthorizationReading => ({ kind: "refuse", message });
    if (query.size > most("formFields")) return refuse("The request has too many parameters");
    for (const name of ["client_id", "redirect_uri"]) {
      if (query.getAll(name).length > 1) return refuse(`The parameter ${name} occurs twice`);
    }
    const id = query.get("client_id") ?? "";
    if (id === "") return refuse("The parameter client_id is missing");
    const client = await clients.find(id);
    if (client === null) return refuse(`Client "${id.slice(0, 200)}" does not exist`);
    const sent = query.get("redirect_uri") || null;
    const only = client.redirectUris.length === 1 ? client.redirectUris[0] : undefined;
    const redirectUri = sent ?? only;
    if (redirectUri === undefined) return refuse("The parameter redirect_uri is missing");
    if (!admitsRedirect(client.redirectUris, redirectUri)) {
      return refuse("The address redirect_uri is not one of the client's");
    }
    const states = query.getAll("state");
    const state = states.length === 1 ? states[0] || null : null;
    try {
      const rest = readAsk(query, baseUrl);
      return {
        kind: "ask",
        ask: { ...rest, client: clientOf(client, redirectUri), redirectUri, redirectSent: sent !== null, state },
      };
    } catch (error) {
      if (!(error instanceof AskFault)) throw error;
      // A state that cannot be read is not returned.
      const back = state !== null && state.length > STATE_MAX ? null : state;
      const location = sentBack(redirectUri, back, { error: error.error, error_description: error.message });
      return { kind: "redirect", location };
    }
  }

  return {
    readAuthorization,

    async allow(viewer, ask, scopes) {
      const account = signedIn(viewer);
      const allowed = expanded(scopes).filter((scope) => ask.scopes.includes(scope));
      if (allowed.length === 0) throw new Refusal("invalid", "Allow at least one of the things that were asked for");
      const code = await writeAs(needs, viewer, async (tx, now) => {
        const grant = await openGrantIn(tx, now, { ...needs, at: clock.now() }, { account, ask, scopes: allowed });
        return await issueCode(tx, needs, { grant, ask, scopes: allowed });
      });
      return sentBack(ask.redirectUri, ask.state, { code });
    },

    deny: ({ redirectUri, state }, error = "access_denied", description = "The person did not allow it") =>
      sentBack(redirectUri, state, { error, error_description: description }),

    async grantsOf(viewer) {
      const found = await store.grants.grantsOf(signedIn(viewer).id);
      const at = clock.now();
      const problems = await Promise.all(found.map((grant) => originProblem(store.accounts, grant, at)));
      const living = found.filter((_, place) => problems[place] === null);
      return living.map(({ id, clientName, clientId, scopes, resource, createdAt, lastUsedAt }) => ({
        id,
        clientName,
        clientId,
        scopes,
        resource,
        createdAt,
        lastUsedAt,
      }));
    },

    async endGrant(viewer, id) {
      const account = signedIn(viewer);
      await writeAs(needs, viewer, async (tx, now) => {
        const grant = await tx.grants.heldGrant(id);
        if (grant === null || grant.accountId !== account.id) {
          throw new Refusal("not_found", `You allowed nothing by "${id.slice(0, 100)}"`);
        }
        if (grant.endedAt === null) await endGrantIn(tx, now, clock.now(), grant, "person");
      });
    },
  };
};

/** Only a person lets programs in: a token may not make another that lives longer than itself. */
function signedIn({ account, scopes }: Viewer): Account {
  if (account === null) throw new Refusal("unauthenticated", "Sign in first");
  if (scopes !== null) throw new Refusal("forbidden", "A person must be signed in for this: a token is not enough");
  return account;
}

const clientOf = ({ id, name, uri, kind }: KnownClient, redirectUri: string): AuthorizationClient => ({
  id,
  name,
  uri,
  kind,
  redirectHost: new URL(redirectUri).host,
});
