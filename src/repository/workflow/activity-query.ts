// The parameters of the list of activities (R16).
import { Type } from "@sinclair/typebox";
import type { QueryReader } from "../../model/input/list-parameters.ts";
import { ACTIVITY_CONDITIONS, type ActivityCondition } from "../../model/rights/workflow-rules.ts";
import { FaultList, FieldFault } from "../../shared/field-faults.ts";
import { wordOf } from "../../shared/shapes.ts";

const LIMIT = { usual: 20, most: 100 };
/** Pages that can be requested; a narrower condition finds the others. */
const PAGE = { usual: 1, most: 10_000 };

type ActivityQuery = { readonly condition: ActivityCondition; readonly limit: number; readonly page: number };
type Range = { readonly usual: number; readonly most: number };

const number = (name: string, description: string, { usual, most }: Range) => ({
  name,
  description,
  schema: Type.Integer({ minimum: 1, maximum: most, default: usual }),
});

export const ACTIVITY_QUERY: QueryReader<ActivityQuery> = {
  parameters: [
    {
      name: "status",
      description: "What waits for the caller, what of theirs waits for others, or all they may see",
      schema: { ...wordOf(ACTIVITY_CONDITIONS), default: "todo" },
    },
    number("limit", "Activities on a page", LIMIT),
    number("page", "Page, from 1", PAGE),
  ],
  read(sent) {
    const faults = new FaultList();
    const condition = faults.collect(() => conditionIn(sent)) ?? "todo";
    const limit = faults.collect(() => numberIn(sent, "limit", LIMIT)) ?? LIMIT.usual;
    const page = faults.collect(() => numberIn(sent, "page", PAGE)) ?? PAGE.usual;
    faults.end();
    return { condition, limit, page };
  },
};

function conditionIn(sent: URLSearchParams): ActivityCondition {
  const status = sent.get("status") ?? "todo";
  const condition = ACTIVITY_CONDITIONS.find((each) => each === status);
  if (condition !== undefined) return condition;
  throw new FieldFault("status", `"${status.slice(0, 100)}" is none of ${ACTIVITY_CONDITIONS.join(", ")}`);
}

function numberIn(sent: URLSearchParams, name: string, { usual, most }: Range): number {
  const text = sent.get(name);
  if (text === null) return usual;
  const value = Number(text);
  if (/^\d{1,6}$/.test(text) && value >= 1 && value <= most) return value;
  throw new FieldFault(name, `"${text.slice(0, 100)}" is not a number from 1 to ${most}`);
}
