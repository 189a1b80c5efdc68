// What is known about a pasted text: is it an ARK, whose, does its check character fit, where does it lead (A48).

import { readRequestTarget } from "../ark/request-path.ts";
import { afterLabel, baseKey, formatArk, hasCheckCharacter, parseNaan, TYPOGRAPHIC_DASHES } from "../ark/syntax.ts";
import { encodeLoose, encodePath } from "../ark/target.ts";
import type { Instant } from "../shared/time/instant.ts";
import { nameMeant, type ResolutionSettings, resolveRequest } from "./resolve.ts";
import type { ResolutionTable } from "./table.ts";

export type TextCheck = {
  readonly ark: string;
  /** Path of the name at this service, as received behind the label, with the mount prefix. */
  readonly path: string;
  readonly naan: string;
  readonly assigner: string;
  readonly assignerStatus: "ours" | "known" | "unknown";
  readonly checkCharacter: "fits" | "wrong" | "none";
  readonly outcome:
    | { readonly kind: "redirect"; readonly location: string }
    | { readonly kind: "described" }
    | { readonly kind: "not-found"; readonly code: string };
};

const TEXT_MAX = 8192;

/**
 * The path that asks this service for the ARK in a text (A2), or null when the text holds none. Nothing is decoded.
 * Dashes that a word processor put into the name go before what is left is encoded: afterwards they would be characters
 * of the name (A1).
 */
export function pathOfText(text: string, rootPath: string): string | null {
  const received = text
    .slice(0, TEXT_MAX)
    .replace(/[\r\n]+\s*/g, "")
    .trim()
    .replace(/^[^?#]*/, (part) => part.replace(TYPOGRAPHIC_DASHES, ""));
  const rest = afterLabel(received) ?? (/^[0-9a-z-]+\//i.test(received) ? received : null);
  if (rest === null) return null;
  const inner = rest.replace(/^\/+/, "").replace(/#.*$/s, "");
  return inner === "" ? null : `${rootPath}/ark:${encodeLoose(inner)}`;
}

/** Checks a text; null when it holds no ARK. */
export function checkText(
  table: ResolutionTable,
  settings: ResolutionSettings,
  text: string,
  now: Instant,
): TextCheck | null {
  const received = pathOfText(text, settings.rootPath);
  if (received === null) return null;
  const path = received.replace(/\?.*$/s, "");
  const reading = readRequestTarget(path, settings.rootPath);
  if (reading.kind !== "ark") return null;
  const naan = parseNaan(reading.request.naanText);
  if (naan === null) return null;
  const { name } = nameMeant(table, settings, naan, reading.request.nameText ?? "");
  const decision = resolveRequest(table, settings, path, now);
  if (decision.kind === "other") return null;
  const known = table.naan(naan);
  const registered = table.registry.naans.get(naan);
  return {
    ark: formatArk(encodePath(name === "" ? naan : `${naan}/${name}`)),
    path,
    naan,
    assigner: known?.name || registered?.name || "",
    assignerStatus:
      known?.authoritative === true ? "ours" : known !== null || registered !== undefined ? "known" : "unknown",
    checkCharacter: checkCharacterOf(table, naan, name),
    outcome:
      decision.kind === "redirect"
        ? { kind: "redirect", location: decision.location }
        : decision.kind === "describe"
          ? { kind: "described" }
          : { kind: "not-found", code: String(decision.code) },
  };
}

/** Checked only where names of this shoulder carry one; nothing is known of names of other organisations (A4). */
function checkCharacterOf(table: ResolutionTable, naan: string, name: string): TextCheck["checkCharacter"] {
  const shoulder = table.naan(naan)?.authoritative === true ? table.shoulderOf(naan, name) : null;
  if (shoulder?.checked !== true) return "none";
  return hasCheckCharacter(baseKey(`${naan}/${name}`)) ? "fits" : "wrong";
}
