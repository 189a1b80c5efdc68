// Signing out removes what the account typed from the browser (R42), also where it signs out everywhere or is closed.
import { removeCopies } from "./parts/local-copies.ts";

/** Forms that end this session. */
const ENDING = [
  "form[data-sign-out]",
  'form[action$="/account/close"]',
  'form[action$="/account/sessions/end-all"]:has(input[name="current"][value="yes"])',
].join();

const { signOut: account = "" } = document.querySelector<HTMLFormElement>("form[data-sign-out]")?.dataset ?? {};
for (const form of document.querySelectorAll<HTMLFormElement>(ENDING))
  form.addEventListener("submit", () => removeCopies(account));
