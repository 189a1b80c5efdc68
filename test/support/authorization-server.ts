// A real authorization server (npm oidc-provider) on a free port of this machine: client_credentials, access tokens as
// JWT.
import { createServer, type RequestListener } from "node:http";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import Provider from "oidc-provider";

export const AUDIENCE = "urn:arkstone";
const SCOPES = "ark:mint ark:read ark:update openid-ish";

/** `signed`: which of the server's algorithms signs. `audience`: another service of the same issuer. */
type Wanted = {
  readonly client?: string;
  readonly scope?: string;
  readonly signed?: "RS256" | "ES256" | "EdDSA";
  readonly audience?: string;
};

export type AuthorizationServer = Awaited<ReturnType<typeof authorizationServer>>;

async function signingKeys(): Promise<JWK[]> {
  const algorithms = ["RS256", "ES256", "EdDSA"];
  const keys = await Promise.all(
    algorithms.map(async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true });
      return { ...(await exportJWK(privateKey)), alg, use: "sig", kid: crypto.randomUUID() };
    }),
  );
  return keys;
}

/** Resources are named `<audience>#<algorithm>`, so that a request chooses who it is for and how it is signed. */
function configuration(keys: JWK[]) {
  const client = (client_id: string) => ({
    client_id,
    client_secret: "secret",
    grant_types: ["client_credentials"],
    redirect_uris: [],
    response_types: [],
  });
  return {
    jwks: { keys },
    clients: [client("ops"), client("stranger")],
    scopes: SCOPES.split(" "),
    enabledJWA: { idTokenSigningAlgValues: ["RS256", "ES256", "EdDSA"] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, resource: string) => {
          const [audience, alg] = resource.split("/alg/");
          const jwt = { sign: { alg } };
          return { scope: SCOPES, audience, accessTokenFormat: "jwt", accessTokenTTL: 300, jwt };
        },
      },
    },
  };
}

export async function authorizationServer() {
  let keys = await signingKeys();
  let answer: RequestListener = () => {};
  let keyReads = 0;
  let away = false;
  const server = createServer((request, response) => {
    if (request.url === "/jwks") keyReads += 1;
    if (away) response.writeHead(503).end();
    else answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", () => listening()));
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server has no port");
  const issuer = `http://127.0.0.1:${address.port}`;
  answer = new Provider(issuer, configuration(keys)).callback();
  return {
    issuer,
    /** How often the key set was asked for. */
    keyReads: () => keyReads,
    keyOf: (alg: string): JWK => keys.find((key) => key.alg === alg) ?? {},
    /** Answers 503 to everything from now on, or no longer. */
    goAway(gone: boolean): void {
      away = gone;
    },
    /** Starts again with other keys; the old ones are gone. */
    async rotate(): Promise<void> {
      keys = await signingKeys();
      answer = new Provider(issuer, configuration(keys)).callback();
    },
    async token(wanted: Wanted = {}): Promise<string> {
      const { client = "ops", scope = "ark:mint ark:read", signed = "RS256", audience = AUDIENCE } = wanted;
      const got = await fetch(`${issuer}/token`, {
        method: "POST",
        headers: { authorization: `Basic ${btoa(`${client}:secret`)}` },
        body: new URLSearchParams({ grant_type: "client_credentials", scope, resource: `${audience}/alg/${signed}` }),
      });
      const body: unknown = await got.json();
      if (typeof body === "object" && body !== null && "access_token" in body) return String(body.access_token);
      throw new Error(`The authorization server gave no token: ${JSON.stringify(body)}`);
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}
