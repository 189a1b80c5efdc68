// The mark of ORCID next to the name of a person, as a link to their iD.
import { type Html, html, raw } from "../../../pages/html.ts";

export const ORCID_MARK = raw(
  '<svg class="orcid" viewBox="0 0 256 256" width="16" height="16" aria-hidden="true" focusable="false"><circle cx="128" cy="128" r="128" fill="#a6ce39"/><path fill="#fff" d="M71 79h15v108H71zm8-16a10 10 0 1 1 .01 0zM109 79h42c40 0 57 28 57 54 0 28-22 54-57 54h-42zm15 14v80h25c35 0 43-27 43-40 0-22-14-40-45-40z"/></svg> ',
);

/** The mark alone; `heard` names the person and the iD. */
export const orcidLink = (orcid: string, heard: string): Html =>
  html` <a href="https://orcid.org/${orcid}" rel="nofollow noopener" aria-label="${heard}">${ORCID_MARK}</a>`;
