// Registering qualified names: a row for a part of an existing name, without a new number (law, "Register input"; A7, A9, A12, A18).

import { reachesShoulder } from "../auth/caller.ts";
import { ServiceError } from "../shared/errors.ts";
import {
  attempt,
  type Draft,
  isRefusal,
  type NameRefusal,
  type NameRequest,
  type Recipe,
} from "./assign-names.types.ts";
import type { RegisterIn } from "./inputs.ts";
import { admit } from "./lifecycle-table.ts";
import { describe, isWithdrawn } from "./new-name.ts";
import type { ArkRecord } from "./record.ts";
import { type RegisteredData, requireMintable } from "./shoulder-choice.ts";
import type { ArkWriter } from "./store.ts";
import { type Ark, ancestorKeys, formatArk, parseArk, qualify } from "./syntax.ts";
import { checkFilledTarget } from "./target-template.ts";

export const registerRecipe: Recipe<RegisterIn> = {
  kind: "register",
  origin: "registered",
  limited: true,
  plan: async (tx, known, requests) => {
    const plans: (Draft | NameRefusal)[] = [];
    for (const request of requests) plans.push(await planPart(tx, known, request));
    return plans;
  },
};

async function planPart(
  tx: ArkWriter,
  known: RegisteredData,
  request: NameRequest<RegisterIn>,
): Promise<Draft | NameRefusal> {
  const names = attempt(() => {
    const base = parseArk(request.input.ark);
    return { base, part: qualify(base, request.input.qualifier) };
  });
  if (isRefusal(names)) return names;
  // Locked, so that no name above the part is deleted while it is made (A11: 1502).
  const above = await tx.lockArks(ancestorKeys(names.part.key));
  return attempt(() => draftPart(known, request, names.base, names.part, above));
}

function draftPart(
  known: RegisteredData,
  { call, input, row }: NameRequest<RegisterIn>,
  base: Ark,
  part: Ark,
  above: ReadonlyMap<string, ArkRecord>,
): Draft {
  const record = above.get(base.key);
  const shoulder = record && known.shoulders.get(base.naan)?.get(record.shoulder);
  if (!record || isWithdrawn(record) || !shoulder || !reachesShoulder(call.caller, shoulder)) {
    throw new ServiceError(1401, { ark: formatArk(base) });
  }
  requireMintable(shoulder, "register", row !== null);
  // Names between base and part, nearest first, down to the base itself: the part hangs below every one of them.
  let state = record.state;
  for (const key of ancestorKeys(part.key)) {
    if (key.length < base.key.length) break;
    const ancestor = above.get(key);
    if (ancestor !== undefined) state = admit("register-below", ancestor).to;
  }
  const description = describe(input);
  checkFilledTarget(description.url, part, row);
  return { ark: part, shoulder, published: state === "published", description };
}
