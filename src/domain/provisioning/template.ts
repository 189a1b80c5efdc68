// What may stand as `redirect` of a NAAN or shoulder: a base URL or a template with an optional status in front (A31b).
import { isWebUrl } from "./members.ts";

const PLACEHOLDERS = new Set(["${content}", "${pid}", "${value}", "${suffix}", "${blade}"]);

/** What is wrong with a redirect; null when it may be stored. The empty string means none. */
export function targetTemplateProblem(text: string): string | null {
  if (text === "") return null;
  const target = text.replace(/^(?:301|302|303|307)\s+/, "");
  if (/^\d{3}\s/.test(target)) return "a status in front must be 301, 302, 303 or 307";
  const unknown = (target.match(/\$\{[^}]*\}?/g) ?? []).filter((placeholder) => !PLACEHOLDERS.has(placeholder));
  if (unknown.length > 0) {
    return `unknown placeholder ${unknown.join(", ")} (known: ${[...PLACEHOLDERS].join(", ")}, $id)`;
  }
  const filled = target.replace(/\$\{\w+\}|\$id/g, "x");
  return isWebUrl(filled) ? null : "must be an absolute http or https URL, or a template of one";
}
