// A real OpenID provider (npm oidc-provider) at which people sign in, with somebody who fills in its forms.
import { createServer, type RequestListener } from "node:http";
import Provider from "oidc-provider";

export const CLIENT = { id: "repository", secret: "keep it quiet" };

/** Claims of the people by the name under which they sign in. */
type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type LoginServer = Awaited<ReturnType<typeof loginServer>>;

export async function loginServer(redirectUri: string, people: People) {
  let answer: RequestListener = () => {};
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", () => listening()));
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server has no port");
  const issuer = `http://127.0.0.1:${address.port}`;
  answer = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "eduperson_principal_name"] },
    // Claims are in the id token, as most providers have it; without this only in the user info.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...people[id] }),
    }),
    features: { devInteractions: { enabled: true } },
  }).callback();
  return {
    issuer,
    /**
     * Goes where a browser was sent, signs in under this name, consents; returns the address it is sent to in the end.
     */
    async signIn(url: string, name: string): Promise<URL> {
      const cookies = new Map<string, string>();
      let at = new URL(url);
      let body: URLSearchParams | null = null;
      for (let step = 0; step < 12; step += 1) {
        const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
        const got = await fetch(at, {
          redirect: "manual",
          headers: { cookie },
          ...(body === null ? {} : { method: "POST", body }),
        });
        for (const line of got.headers.getSetCookie()) {
          const [pair = ""] = line.split(";");
          cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
        }
        body = null;
        const page = await got.text();
        const next = got.headers.get("location");
        if (next !== null) {
          at = new URL(next, at);
          if (at.href.startsWith(redirectUri)) return at;
          continue;
        }
        const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
        if (prompt === undefined) throw new Error(`The provider answered ${got.status}: ${page.slice(0, 500)}`);
        at = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? "", at);
        body = new URLSearchParams({ prompt, login: name, password: "any" });
      }
      throw new Error("The provider never came back");
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}
