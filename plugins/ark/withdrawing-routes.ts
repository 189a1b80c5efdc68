// Endpoints that withdraw a name for ever: delete, delete/bulk, purge (law, "States and transitions"; A9, A11, A17).
import { Elysia } from "elysia";
import { BulkDeleteIn, WithdrawIn } from "../../src/ark/inputs.ts";
import type { Lifecycle } from "../../src/ark/lifecycle.ts";
import { formatArk } from "../../src/ark/syntax.ts";
import { arkDialect, errors } from "../http/errors.ts";
import type { Success } from "./documentation.ts";
import type { Guard } from "./guard.ts";
import { inFields, writing } from "./management-requests.ts";
import { BulkDeleteOut, toWithdrawalOut, WithdrawalOut } from "./schemas.ts";

const TAG = "Withdrawal";
const WITHDRAWN: Readonly<Record<number, Success>> = {
  200: { description: "What was withdrawn", schema: WithdrawalOut },
};
const FOR_EVER =
  "Target and description are emptied; the name is never assigned again and answers 404 from now on. Refused while qualified names " +
  "hang below (SVC-1502).";

export const arkWithdrawingRoutes = ({ guard, lifecycle }: { readonly guard: Guard; readonly lifecycle: Lifecycle }) =>
  new Elysia({ name: "ark-withdrawing-routes", prefix: "/api" })
    .use(errors(arkDialect))
    .post(
      "/delete",
      async ({ body, request }) => toWithdrawalOut(await lifecycle.delete(guard.call(request), body)),
      writing(guard, WithdrawIn, {
        id: "deleteArk",
        tag: TAG,
        summary: "Delete an ARK that is not public",
        description:
          `${FOR_EVER} A published name must be unpublished first (SVC-1501). A name that was ever public needs \`reason\` (SVC-1017) ` +
          "and `confirm`, the ARK retyped (SVC-1018), for every caller.",
        scopes: ["ark:delete"],
        success: WITHDRAWN,
        errors: [1001, 1004, 1017, 1018, 1303, 1401, 1501, 1502, 1505],
        problems: inFields,
      }),
    )
    .post(
      "/delete/bulk",
      async ({ body, request }) => {
        const withdrawals = await lifecycle.deleteBulk(guard.call(request), body);
        return { withdrawn: withdrawals.map(({ key }) => formatArk(key)), count: withdrawals.length };
      },
      writing(guard, BulkDeleteIn, {
        id: "deleteArks",
        tag: TAG,
        summary: "Delete many ARKs that were never public, all or none",
        description:
          `${FOR_EVER} One row that is public (SVC-1501) or ever was (SVC-1504) fails the whole request and nothing is deleted. ` +
          "Parts in the same request count as gone.",
        scopes: ["ark:delete"],
        success: { 200: { description: "The names deleted, in the order sent", schema: BulkDeleteOut } },
        errors: [1001, 1004, 1011, 1019, 1303, 1401, 1501, 1502, 1504, 1505],
        problems: inFields,
      }),
    )
    .post(
      "/purge",
      async ({ body, request }) => toWithdrawalOut(await lifecycle.purge(guard.call(request), body)),
      writing(guard, WithdrawIn, {
        id: "purge",
        tag: TAG,
        summary: "Withdraw and delete an ARK in any state, in one step",
        description: `${FOR_EVER} Always needs \`reason\` (SVC-1015) and \`confirm\`, the ARK retyped (SVC-1016). The history shows both steps.`,
        scopes: ["ark:purge"],
        success: WITHDRAWN,
        errors: [1001, 1004, 1015, 1016, 1303, 1401, 1502],
        problems: inFields,
      }),
    );
