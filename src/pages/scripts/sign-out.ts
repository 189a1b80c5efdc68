// Signing out removes what the account typed from the browser (R42).
import { removeCopies } from "./parts/local-copies.ts";

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-sign-out]"))
  form.addEventListener("submit", () => removeCopies(form.dataset.signOut ?? ""));
