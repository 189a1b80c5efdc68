// The authorization server over HTTP but its pages and its token endpoint (R30): its metadata (RFC 8414), registration
// (RFC 7591), revocation (RFC 7009). Programs in browsers may use all of it.
import { Elysia } from "elysia";
import { OAuthRefusal } from "../../../src/auth/token-request.ts";
import { ClientMetadataFault } from "../../../src/repository/authorization/client-metadata.ts";
import type { Clients } from "../../../src/repository/authorization/clients.ts";
import type { Revocation } from "../../../src/repository/authorization/revocation.ts";
import { registeredClient, type serverMetadata } from "../../../src/repository/authorization/server-metadata.ts";
import { addressKey } from "../../../src/shared/http/address.ts";
import type { RateLimit } from "../../../src/shared/http/rate-limit.ts";
import { parseJson } from "../../../src/shared/json/read.ts";
import { most } from "../../../src/shared/limits.ts";
import { ANY_ORIGIN, oauthDialect, preflight, sentForm } from "../../auth/oauth-token.ts";
import { type Dialect, errors } from "../../http/errors.ts";
import { type BodyLimits, readBytes } from "../../http/request-body.ts";
import { charge, contextOf } from "../../http/request-context.ts";
import { REGISTER_DETAIL, REVOKE_DETAIL } from "./authorization-document.ts";

export type AuthorizationServerNeeds = Pick<BodyLimits, "clientSeconds"> & {
  readonly metadata: ReturnType<typeof serverMetadata>;
  readonly clients: Pick<Clients, "register">;
  readonly revocation: Revocation;
  /** Registrations per minute and address; null: unlimited. */
  readonly rate: RateLimit | null;
};

const NO_STORE = { ...ANY_ORIGIN, "cache-control": "no-store", pragma: "no-cache" };
const WELL_KNOWN = "/.well-known/oauth-authorization-server";

const dialect: Dialect = async (refusal, request) => {
  const response = await oauthDialect(refusal, request);
  for (const [name, value] of Object.entries(NO_STORE)) response.headers.set(name, value);
  return response;
};

export const authorizationServer = (needs: AuthorizationServerNeeds) => {
  const { metadata, clients, revocation, rate, clientSeconds } = needs;
  const hidden = { detail: { hide: true } } as const;
  const serverMetadata = (): Response =>
    Response.json(metadata, { headers: { ...ANY_ORIGIN, "cache-control": "public, max-age=3600" } });
  const app = new Elysia({ name: "authorization-server" }).use(errors(dialect));
  for (const path of metadataPaths(metadata.issuer))
    app.get(path, serverMetadata, hidden).options(path, preflight("GET"), hidden);
  return app
    .options("/oauth/register", preflight("POST"), hidden)
    .post(
      "/oauth/register",
      async ({ request }) => {
        if (rate !== null) await charge(request, rate, `register ${addressKey(contextOf(request).address)}`);
        const client = await registered(clients, await jsonOf(request, clientSeconds));
        return Response.json(registeredClient(client), { status: 201, headers: NO_STORE });
      },
      { parse: "none", detail: REGISTER_DETAIL },
    )
    .options("/oauth/revoke", preflight("POST"), hidden)
    .post(
      "/oauth/revoke",
      async ({ request }) => {
        await revocation.revoke(await sentForm(request, clientSeconds), contextOf(request).address);
        return new Response(null, { status: 200, headers: NO_STORE });
      },
      { parse: "none", detail: REVOKE_DETAIL },
    );
};

/**
 * Where clients read it: at the root, after the path of a resource, and after the path of the issuer (RFC 8414 3.1).
 */
function metadataPaths(issuer: string): readonly string[] {
  const own = new URL(issuer).pathname.replace(/\/$/, "");
  const below = ["", "/mcp", "/mcp-auth"];
  return [...new Set([...below, ...below.map((path) => `${own}${path}`)])].map((path) => `${WELL_KNOWN}${path}`);
}

async function registered(clients: Pick<Clients, "register">, sent: unknown) {
  try {
    return await clients.register(sent, "registered");
  } catch (error) {
    if (error instanceof ClientMetadataFault) throw new OAuthRefusal(error.error, error.message);
    throw error;
  }
}

async function jsonOf(request: Request, clientSeconds: number): Promise<unknown> {
  const bytes = await readBytes(request, { bodyLimit: most("registrationBytes"), clientSeconds });
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new OAuthRefusal("invalid_client_metadata", "The body is not JSON");
  }
}
