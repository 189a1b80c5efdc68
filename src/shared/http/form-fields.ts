// Forms as browsers and token clients send them (R9a, RFC 6749 3.2): how many fields one has is counted before it is
// taken apart.
import { most } from "../limits.ts";

/** The fields in the order of the text, names repeated as sent; null where there are more than a form may have. */
export function formFields(text: string, limit: number = most("formFields")): URLSearchParams | null {
  let fields = 1;
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", at + 1)) {
    if (++fields > limit) return null;
  }
  return new URLSearchParams(text);
}
