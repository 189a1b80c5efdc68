// What a person does in a browser when a program asks for authorization (R30): signs in with a token, reads the page,
// allows.
import { csrfIn } from "./world/pages.ts";

/** `base`: of a repository that listens. Cookies are kept. */
export function consentBrowser(base: string) {
  const jar = new Map<string, string>();

  async function visit(path: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(new URL(path, base), {
      headers: { cookie, origin: base },
      redirect: "manual",
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    return response;
  }

  return {
    visit,
    async signIn(token: string): Promise<void> {
      const form = await (await visit("/account/login")).text();
      await visit("/account/login", { csrf: csrfIn(form), return_to: "/", token });
    },
    /** With all that is asked for. Where the answer goes: the address of the program, with a code. */
    async allow(asked: string): Promise<string> {
      const page = await (await visit(asked)).text();
      const scopes = (new URL(asked, base).searchParams.get("scope") ?? "").split(" ");
      const ticked = Object.fromEntries(scopes.map((scope) => [`scope:${scope}`, "on"]));
      const answer = await visit(asked, { ...ticked, csrf: csrfIn(page), decision: "allow" });
      return answer.headers.get("location") ?? "";
    },
  };
}
