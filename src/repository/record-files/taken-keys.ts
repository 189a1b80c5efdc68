// Keys that files of a draft have: two that differ in how their characters are composed alone (NFC, NFD) would look the
// same, and be one file on some disks.
import type { Draft } from "../../model/items/item.ts";
import { normalForm } from "../../shared/text/text.ts";
import type { DraftFile } from "../store/draft-files.ts";
import { keyOf } from "./entries.ts";
import { fileExists } from "./sentences.ts";

export const comparedKey = (key: string): string => normalForm(key, "NFC");

export const takenKeys = ({ content }: Pick<Draft, "content">, pending: readonly DraftFile[]): ReadonlySet<string> =>
  new Set([
    ...content.files.map(({ name }) => comparedKey(keyOf(name))),
    ...pending.map(({ key }) => comparedKey(key)),
  ]);

/** @throws Refusal for a key in use */
export function requireFreeKey(draft: Pick<Draft, "content">, pending: readonly DraftFile[], key: string): void {
  if (takenKeys(draft, pending).has(comparedKey(key))) throw fileExists(key);
}
