// What people read and choose when asked to let a program act for them (R30; RFC 6749 section 3.1): where the answer
// goes, what may be allowed, how the program is named. Names of programs are texts of strangers: nothing in them may
// hide, turn round or pose as a part of the page.
import { UNSEEN } from "../../model/files/file-names.ts";
import type { ToolScope } from "../tools/tool.ts";

/** Characters of a name that a page shows. */
const NAME_SHOWN = 80;
/** Characters of a name that are read: a longer name is cut before it is cleaned. */
const NAME_READ = 400;

/**
 * A name that a stranger chose, in one line, without invisible characters and those that change the direction of the
 * text around it; "" if nothing is left.
 */
export function strangersName(text: string): string {
  const line = text
    .slice(0, NAME_READ)
    .replace(UNSEEN, " ")
    .replace(/(\p{M}{3})\p{M}+/gu, "$1")
    .replace(/\s+/g, " ")
    .trim();
  const characters = Array.from(line);
  return characters.length <= NAME_SHOWN ? line : `${characters.slice(0, NAME_SHOWN - 1).join("")}…`;
}

/** Where the answer goes: a site, or a program on the reader's own machine. */
export type AnswerPlace = { readonly kind: "site" | "machine"; readonly host: string };

const OWN_MACHINE = ["localhost", "127.0.0.1", "[::1]"];

export function answerPlace(redirectUri: string): AnswerPlace {
  const { host, hostname } = new URL(redirectUri);
  return { kind: OWN_MACHINE.includes(hostname) ? "machine" : "site", host };
}

/**
 * Where the form of a decision may lead (Content Security Policy, `form-action`). Chromium holds it against every
 * address that the answer leads on to: the redirect address of the program, and its page after that, which may be at
 * any https address.
 */
export function formTargets(redirectUri: string): readonly string[] {
  const { protocol, origin, hostname } = new URL(redirectUri);
  // A policy has no words for an IPv6 address.
  return ["'self'", hostname.startsWith("[") ? protocol : origin, "https:"];
}

/**
 * What was chosen of what is offered, least first; the first always is. Null if a choice lacks what it implies: nobody
 * grants more than they ticked.
 */
export function chosenScopes(
  offered: readonly ToolScope[],
  isTicked: (scope: ToolScope) => boolean,
): readonly ToolScope[] | null {
  const [read, ...rest] = offered;
  const ticked = rest.filter(isTicked);
  if (read === undefined || rest.slice(0, ticked.length).some((scope) => !ticked.includes(scope))) return null;
  return [read, ...ticked];
}
