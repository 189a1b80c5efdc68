// Adding or changing one registered thing: a document of one row, applied like a file.

import type { Context, Services } from "../context.ts";
import { withServices } from "../context.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";
import { applyAndShow, type PlanOptions } from "./plan-output.ts";

type OneThing = {
  readonly section: "naans" | "organisations" | "shoulders" | "credentials";
  /** As the person named it: `NAAN 99999`. */
  readonly label: string;
  readonly exists: boolean;
  readonly row: Readonly<Record<string, unknown>>;
};

const PLAIN: PlanOptions = { keys: undefined, dryRun: false };

/** `add` makes something new, `set` changes what is there: a name mistyped in `set` must not make a new thing. */
export async function applyOne(
  context: Context,
  verb: "add" | "set",
  find: (services: Services) => Promise<OneThing>,
  options: PlanOptions = PLAIN,
): Promise<void> {
  await withServices(context, async (services) => {
    const thing = await find(services);
    const noun = thing.section === "organisations" ? "org" : thing.section.slice(0, -1);
    if (verb === "add" && thing.exists) {
      throw new CommandRefusal(`${thing.label} exists already`, `Change it with "arkstone ${noun} set"`);
    }
    if (verb === "set" && !thing.exists) {
      throw new CommandRefusal(`There is no ${thing.label}`, `"arkstone ${noun} list" shows what there is`);
    }
    await applyAndShow(context, services, { [thing.section]: [thing.row] }, options);
  });
}

/** NAAN and shoulder of `99999/b1`, `ark:99999/b1`, or `b1` where one NAAN only has it. */
export async function shoulderPath(services: Services, text: string): Promise<{ naan: string; shoulder: string }> {
  const inner = text.replace(/^ark:\/*/i, "");
  const slash = inner.indexOf("/");
  if (slash > 0) return { naan: inner.slice(0, slash), shoulder: inner.slice(slash + 1) };
  const shoulder = inner.replace(/^\//, "");
  const found = (await services.store.shoulders()).filter((row) => row.shoulder === shoulder);
  const [only, second] = found;
  if (only !== undefined && second === undefined) return { naan: only.naan, shoulder };
  if (second !== undefined) {
    throw new UsageError(
      `Shoulder ${shoulder} exists under ${found.map((row) => row.naan).join(", ")}`,
      "Name it as NAAN/SHOULDER",
    );
  }
  const ours = (await services.store.naans()).filter((naan) => naan.authoritative);
  const [naan] = ours;
  if (naan !== undefined && ours.length === 1) return { naan: naan.naan, shoulder };
  throw new UsageError(`Under which NAAN does ${shoulder} lie?`, "Name it as NAAN/SHOULDER");
}
