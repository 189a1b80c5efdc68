// An ORCID iD as its rules for display have it: the mark, the full address, and a mark in outline where nobody has
// confirmed the iD by signing in at ORCID.
import { type Html, html, raw } from "../../../pages/html.ts";
import type { RepositoryTexts } from "../languages/index.ts";

const LETTERS =
  "M71 79h15v108H71zm8-16a10 10 0 1 1 .01 0zM109 79h42c40 0 57 28 57 54 0 28-22 54-57 54h-42zm15 14v80h25c35 0 43-27 43-40 0-22-14-40-45-40z";
const svg = (circle: string, letters: string) =>
  raw(
    `<svg class="orcid" viewBox="0 0 256 256" width="16" height="16" aria-hidden="true" focusable="false">${circle}<path ${letters} d="${LETTERS}"/></svg> `,
  );

/** Of an iD that its holder confirmed, and of any other. */
const CONFIRMED = svg('<circle cx="128" cy="128" r="128" fill="#a6ce39"/>', 'fill="#fff"');
const UNCONFIRMED = svg(
  '<circle cx="128" cy="128" r="120" fill="none" stroke="currentColor" stroke-width="14"/>',
  'fill="currentColor"',
);

export type OrcidView = { readonly id: string; readonly isConfirmed: boolean };

export function orcidLink({ id, isConfirmed }: OrcidView, { item }: RepositoryTexts): Html {
  const address = `https://orcid.org/${id}`;
  const name = isConfirmed ? item.orcid(id) : item.orcidUnconfirmed(id);
  return html`<a href="${address}" rel="nofollow noopener" aria-label="${name}">${isConfirmed ? CONFIRMED : UNCONFIRMED}${address}</a>`;
}
