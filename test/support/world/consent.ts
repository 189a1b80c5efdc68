// Programs that ask people for consent over HTTP (R30), over the world as browsers see it: clients, their requests,
// people who are signed in.
import type { RoleId } from "../../../src/auth/account.ts";
import { codeChallenge } from "../../../src/shared/hash/digests.ts";
import { BASE, csrfIn, type PagesWorld, type Visitor } from "./pages.ts";

export const BACK = "https://client.example/back";
export const STATE = "a/b c&d=é";
export const RESOURCE = `${BASE}/mcp`;
export const VERIFIER = "v".repeat(43);
/** The fields of the form where changing is ticked, and deciding is not. */
export const ALLOW = { decision: "allow", "scope:mcp:write": "1" };

export type ConsentWorld = PagesWorld & Awaited<ReturnType<typeof consent>>;
type Page = Awaited<ReturnType<Visitor["get"]>>;

export const where = ({ headers }: Page): URL => new URL(headers.get("location") ?? "", BASE);
export const saidIn = (page: Page): Record<string, string> => Object.fromEntries(where(page).searchParams);

/** Presses a button of the page at `path`. */
export async function press(browser: Visitor, path: string, fields: Readonly<Record<string, string>>): Promise<Page> {
  return await browser.post(path, { csrf: csrfIn((await browser.get(path)).text), ...fields });
}

/** The clients `web`, `desktop` and `nameless` registered themselves, `own` is the operator's. */
export async function consent(world: PagesWorld) {
  const challenge = codeChallenge(VERIFIER);

  async function client(
    id: string,
    name: string,
    redirectUris: readonly string[],
    kind: "registered" | "account" = "registered",
  ): Promise<void> {
    const times = { createdAt: world.time.now, usedAt: null };
    const kept = { id, kind, name, uri: null, redirectUris, ...times };
    await world.store.transact((tx) => tx.grants.saveOauthClient(kept));
  }
  await client("web", "Library <Helper>\u202E", [BACK]);
  await client("desktop", "Desk", ["http://127.0.0.1/cb"]);
  await client("nameless", "\u200B", [BACK]);
  await client("own", "Catalogue", [BACK], "account");

  return {
    client,

    /** Path and query of a request; `undefined` leaves a parameter out. */
    asking(changes: Readonly<Record<string, string | undefined>> = {}): string {
      const usual = {
        ...{ response_type: "code", client_id: "web", redirect_uri: BACK, scope: "mcp:write", state: STATE },
        ...{ code_challenge: challenge, code_challenge_method: "S256", resource: RESOURCE },
      };
      const all = Object.entries({ ...usual, ...changes }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      );
      return `/oauth/authorize?${new URLSearchParams(all)}`;
    },

    /** Somebody new, signed in by token. */
    async signedIn(name: string, roles: readonly RoleId[] = [3]) {
      const viewer = await world.person(name, roles);
      const browser = world.visitor();
      await browser.signIn(await world.token(viewer));
      return { viewer, browser };
    },

    /** What somebody allowed and has not ended, as it is kept. */
    allowedBy: ({ account }: (typeof world)["owner"]) => world.store.grants.grantsOf(account?.id ?? 0),
  };
}
