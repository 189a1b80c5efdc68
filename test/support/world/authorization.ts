// Programs that ask people for authorization (R30), over a world of deposits: a client that registered, a person who
// allows it, and the requests it sends.
import { type Authorization, authorization } from "../../../src/repository/authorization/authorization.ts";
import type { ClientDocuments } from "../../../src/repository/authorization/client-documents.ts";
import { type Clients, clients } from "../../../src/repository/authorization/clients.ts";
import type { ToolScope } from "../../../src/repository/tools/tool.ts";
import { codeChallenge } from "../../../src/shared/hash/digests.ts";
import { BASE_URL, type PersonName, type RepositoryWorld } from "./repository.ts";

export const VERIFIER = "a".repeat(43);
export const REDIRECT = "https://app.example/callback";
export const MCP = `${BASE_URL}/mcp`;
const FORM = { "content-type": "application/x-www-form-urlencoded" };

export type AuthorizationWorld = ReturnType<typeof authorizationOf>;

export function authorizationOf(world: RepositoryWorld, documents: ClientDocuments = { read: async () => null }) {
  const { store, clock, random, ask } = world;
  const known: Clients = clients({ store, clock, random, documents });
  const asking: Authorization = authorization({ store, clock, random, clients: known, baseUrl: BASE_URL });

  const post = (
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ) => ask(null, "POST", path, { headers: { ...FORM, ...headers }, body: String(new URLSearchParams(fields)) });

  const register = async (redirectUris: readonly string[] = [REDIRECT]): Promise<string> =>
    (await known.register({ redirect_uris: redirectUris, client_name: "Test" }, "registered")).id;

  async function query(clientId: string, more: Readonly<Record<string, string | null>> = {}): Promise<URLSearchParams> {
    const all = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: REDIRECT,
      scope: "mcp:write",
      state: "s1",
      resource: MCP,
      code_challenge: codeChallenge(VERIFIER),
      code_challenge_method: "S256",
      ...more,
    };
    return new URLSearchParams(Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
  }

  /** A code that the person gave the client. */
  async function code(
    who: PersonName,
    clientId: string,
    more: Readonly<Record<string, string | null>> = {},
    scopes: readonly ToolScope[] = ["mcp:read", "mcp:write", "mcp:curate"],
  ): Promise<string> {
    const read = await asking.readAuthorization(await query(clientId, more));
    if (read.kind !== "ask") throw new Error(`Nothing is asked: ${JSON.stringify(read)}`);
    const location = new URL(await asking.allow(await world.viewer(who), read.ask, scopes));
    return location.searchParams.get("code") ?? "";
  }

  const exchange = (clientId: string, sent: string, more: Readonly<Record<string, string>> = {}) =>
    post("/oauth/token", {
      grant_type: "authorization_code",
      client_id: clientId,
      code: sent,
      code_verifier: VERIFIER,
      redirect_uri: REDIRECT,
      ...more,
    });
  const refresh = (clientId: string, token: string, more: Readonly<Record<string, string>> = {}) =>
    post("/oauth/token", { grant_type: "refresh_token", client_id: clientId, refresh_token: token, ...more });

  return {
    ...{ known, asking, post, register, query, code, exchange, refresh },
    /** Tokens that a new client has by a person's word. */
    async tokens(who: PersonName, more: Readonly<Record<string, string>> = {}) {
      const clientId = await register();
      const { json } = await exchange(clientId, await code(who, clientId, more));
      return { clientId, access: String(json.access_token), refresh: String(json.refresh_token), json };
    },
  };
}
