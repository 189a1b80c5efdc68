// The one style sheet of all pages (R40), as it is served.
import { BASE } from "./base.ts";
import { FORMS } from "./forms.ts";
import { LISTS } from "./lists.ts";
import { MEDIA } from "./media.ts";
import { TOKENS } from "./tokens.ts";
import { VIEWERS } from "./viewers.ts";
import { VIEWERS_MEDIA } from "./viewers-media.ts";

/** Without what only its readers in the source need. No selector has a space before a colon. */
const compact = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1")
    .replaceAll(": ", ":")
    .trim();

export const STYLE: string = compact([TOKENS, BASE, FORMS, LISTS, VIEWERS, VIEWERS_MEDIA, MEDIA].join("\n"));
