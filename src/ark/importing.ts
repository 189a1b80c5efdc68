// Importing names that were minted elsewhere, into delegated, active and import-only shoulders (A15; A28 codes 1012, 1013, 1307).

import { ServiceError } from "../shared/errors.ts";
import { attempt, type Draft, isRefusal, type NameRequest, type Recipe } from "./assign-names.types.ts";
import { hasCheckCharacter } from "./check-digit.ts";
import type { ImportIn } from "./inputs.ts";
import { describe, isWithdrawn } from "./new-name.ts";
import type { ArkRecord } from "./record.ts";
import { type RegisteredData, shoulderOfImport } from "./shoulder-choice.ts";
import { ancestorKeys, baseKey, formatArk, parseArk, requireNoDotSegment } from "./syntax.ts";
import { checkFilledTarget } from "./target-template.ts";

export const importRecipe: Recipe<ImportIn> = {
  kind: "import",
  origin: "imported",
  limited: false,
  plan: async (tx, known, requests) => {
    const seen = new Set<string>();
    const drafts = requests.map((request) => attempt(() => draftImport(known, request, seen)));
    const keysAbove = new Set(drafts.flatMap((draft) => (isRefusal(draft) ? [] : ancestorKeys(draft.ark.key))));
    if (keysAbove.size === 0) return drafts;
    // Locked, so that no name above a part is deleted while it is imported (A11: 1502).
    const above = await tx.lockArks([...keysAbove]);
    return drafts.map((draft) => (isRefusal(draft) ? draft : attempt(() => requireLiving(draft, above))));
  },
};

function draftImport(known: RegisteredData, { call, input, row }: NameRequest<ImportIn>, seen: Set<string>): Draft {
  const ark = parseArk(input.ark);
  requireNoDotSegment(ark);
  const shoulder = shoulderOfImport(call.caller, ark, known);
  if (shoulder.checked && !hasCheckCharacter(baseKey(ark.key))) throw new ServiceError(1012, { ark: formatArk(ark) });
  if (seen.has(ark.key)) throw new ServiceError(1019, { ark: formatArk(ark) });
  seen.add(ark.key);
  const description = describe(input);
  checkFilledTarget(description.url, ark, row);
  return { ark, shoulder, published: input.reserve !== true, description };
}

/** A part of a withdrawn name would be a reference to it (A11), a part of a tombstone is refused as in register (A9). */
function requireLiving(draft: Draft, above: ReadonlyMap<string, ArkRecord>): Draft {
  for (const key of ancestorKeys(draft.ark.key)) {
    const ancestor = above.get(key);
    if (ancestor === undefined) continue;
    if (isWithdrawn(ancestor)) throw new ServiceError(1014, { ark: formatArk(key) });
    if (ancestor.state === "tombstoned") throw new ServiceError(1505, { ark: formatArk(key) });
    break;
  }
  return draft;
}
