// Parts against the names above them (A11, A12): names in the order of their keys are read once, and only the line of
// names above the current one is kept.
import { isWithdrawn } from "../../ark/new-name.ts";
import type { ArkRecord } from "../../ark/record.ts";
import { type Finding, findingsOf } from "./finding.ts";

type Above = { readonly key: string; readonly withdrawn: boolean };

/** Every name whose key begins with another one comes behind it, before any that does not. */
export class PartsWalk {
  readonly #above: Above[] = [];

  /** The next name in key order: what is wrong between it and the names above it. */
  next(record: ArkRecord): Finding[] {
    const { key } = record;
    while (this.#above.length > 0 && !key.startsWith(this.#above.at(-1)?.key ?? "")) this.#above.pop();
    const ancestors = this.#above.filter((each) => key[each.key.length] === "/" || key[each.key.length] === ".");
    const withdrawn = isWithdrawn(record);
    this.#above.push({ key, withdrawn });
    const gone = ancestors.findLast((each) => each.withdrawn);
    return findingsOf("part", key, [
      [!withdrawn && gone !== undefined, `it is ${record.state} and hangs below ${gone?.key}, which was withdrawn`],
      [record.origin === "registered" && ancestors.length === 0, "it was registered below a name that is not there"],
    ]);
  }
}
