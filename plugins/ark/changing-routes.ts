// Endpoints that change a name after it exists (specification 1, "States and transitions", "Management endpoints"; A8
// to A10, A14 to A18, A42).

import { Elysia } from "elysia";
import {
  BulkDeleteIn,
  BulkPublishIn,
  BulkUnpublishIn,
  BulkUpdateIn,
  HoldIn,
  HoldReleaseIn,
  PublishIn,
  TombstoneIn,
  UpdateIn,
  WithdrawIn,
} from "../../src/ark/inputs.ts";
import type { Lifecycle } from "../../src/ark/lifecycle.ts";
import { formatArk } from "../../src/ark/syntax.ts";
import type { Clock } from "../../src/shared/time/clock.ts";
import { arkDialect, errors } from "../http/errors.ts";
import type { Success } from "./documentation.ts";
import { type Guard, inFields, inRows, writing } from "./guard.ts";
import {
  ArkOut,
  BulkDeleteOut,
  BulkPublishOut,
  BulkUnpublishOut,
  BulkUpdateOut,
  HoldOut,
  toArkOut,
  toHoldOut,
  toWithdrawalOut,
  WithdrawalOut,
} from "./schemas.ts";

const RECORD: Readonly<Record<number, Success>> = { 200: { description: "The record as it now is", schema: ArkOut } };
const ROWS = "All or none, in one transaction; an error about one row names it in `detail.row` (from 0).";
const REPLACES =
  "**PUT replaces**: a descriptive field that is left out becomes empty. Use PATCH to change only what is sent.";

type ChangingNeeds = { readonly guard: Guard; readonly lifecycle: Lifecycle; readonly clock: Clock };

export const arkChangingRoutes = (needs: ChangingNeeds) =>
  new Elysia({ name: "ark-changing-routes" })
    .use(arkDescriptionRoutes(needs))
    .use(arkTombstoneRoutes(needs))
    .use(arkPublicationRoutes(needs))
    .use(arkHoldRoutes(needs));

/** Descriptions of one ARK and of many. */
const arkDescriptionRoutes = ({ guard, lifecycle, clock }: ChangingNeeds) =>
  new Elysia({ name: "ark-description-routes", prefix: "/api" })
    .use(errors(arkDialect))
    .put(
      "/update",
      async ({ body, request }) => toArkOut(await lifecycle.update(guard.call(request), body, "replace"), clock.now()),
      writing(guard, UpdateIn, {
        id: "replaceArk",
        tag: "Description",
        summary: "Replace the description of an ARK",
        description: `${REPLACES} On a tombstoned name the target stays and cannot be moved (SVC-1505).`,
        scopes: ["ark:update"],
        success: RECORD,
        errors: [1001, 1004, 1303, 1401, 1505],
        problems: inFields,
      }),
    )
    .patch(
      "/update",
      async ({ body, request }) => toArkOut(await lifecycle.update(guard.call(request), body, "patch"), clock.now()),
      writing(guard, UpdateIn, {
        id: "patchArk",
        tag: "Description",
        summary: "Change parts of the description of an ARK",
        description:
          "Only what is sent is changed; an empty string clears a field. The target of a tombstone cannot be moved (SVC-1505).",
        scopes: ["ark:update"],
        success: RECORD,
        errors: [1001, 1004, 1303, 1401, 1505],
        problems: inFields,
      }),
    )
    .put(
      "/update/bulk",
      async ({ body, request }) => ({
        updated: await lifecycle.updateBulk(guard.call(request), body.data, "replace"),
      }),
      writing(guard, BulkUpdateIn, {
        id: "replaceArks",
        tag: "Description",
        summary: "Replace the descriptions of many ARKs",
        description:
          `**Warning.** ${REPLACES} A bulk PUT that sends only new targets wipes title, who, when and all other fields of every row. ` +
          `Rows are matched by their ARK, not by position. ${ROWS}`,
        scopes: ["ark:update"],
        success: { 200: { description: "How many rows were written", schema: BulkUpdateOut } },
        errors: [1001, 1004, 1011, 1019, 1303, 1401, 1505],
        problems: (body) => inRows(body.data),
      }),
    )
    .patch(
      "/update/bulk",
      async ({ body, request }) => ({
        updated: await lifecycle.updateBulk(guard.call(request), body.data, "patch"),
      }),
      writing(guard, BulkUpdateIn, {
        id: "patchArks",
        tag: "Description",
        summary: "Change parts of the descriptions of many ARKs",
        description: `Only what a row sends is changed; an empty string clears a field. Rows are matched by their ARK. ${ROWS}`,
        scopes: ["ark:update"],
        success: { 200: { description: "How many rows were written", schema: BulkUpdateOut } },
        errors: [1001, 1004, 1011, 1019, 1303, 1401, 1505],
        problems: (body) => inRows(body.data),
      }),
    );

/** The named resource no longer exists. */
const arkTombstoneRoutes = ({ guard, lifecycle, clock }: ChangingNeeds) =>
  new Elysia({ name: "ark-tombstone-routes", prefix: "/api" }).use(errors(arkDialect)).put(
    "/tombstone",
    async ({ body, request }) => toArkOut(await lifecycle.tombstone(guard.call(request), body), clock.now()),
    writing(guard, TombstoneIn, {
      id: "tombstone",
      tag: "States",
      summary: "Mark a resource as gone",
      description:
        "The name and its description stay, the way to the thing goes. `url` may name a page that explains; without it the resolver " +
        "answers with the description. An empty `commitment` keeps the stored one. Final: no endpoint leads out of it but purge. " +
        "Called again, the page moves.",
      scopes: ["ark:tombstone"],
      success: RECORD,
      errors: [1001, 1004, 1303, 1401],
      problems: inFields,
    }),
  );

/** Whether names resolve. */
const arkPublicationRoutes = ({ guard, lifecycle, clock }: ChangingNeeds) =>
  new Elysia({ name: "ark-publication-routes", prefix: "/api" })
    .use(errors(arkDialect))
    .post(
      "/publish",
      async ({ body, request }) => toArkOut(await lifecycle.publish(guard.call(request), body.ark), clock.now()),
      writing(guard, PublishIn, {
        id: "publish",
        tag: "States",
        summary: "Publish a reserved or unpublished ARK",
        description: "Resolution starts, or starts again. A published name stays as it is. Its parts are not touched.",
        scopes: ["ark:publish", "ark:mint"],
        success: RECORD,
        errors: [1001, 1004, 1303, 1401, 1505],
      }),
    )
    .post(
      "/publish/bulk",
      async ({ body, request }) => ({
        published: (await lifecycle.publishBulk(guard.call(request), body.data)).length,
      }),
      writing(guard, BulkPublishIn, {
        id: "publishBulk",
        tag: "States",
        summary: "Publish many ARKs",
        description: ROWS,
        scopes: ["ark:publish", "ark:mint"],
        success: { 200: { description: "How many rows are public now", schema: BulkPublishOut } },
        errors: [1001, 1004, 1011, 1019, 1303, 1401, 1505],
      }),
    )
    .post(
      "/unpublish",
      async ({ body, request }) => toArkOut(await lifecycle.unpublish(guard.call(request), body), clock.now()),
      writing(guard, WithdrawIn, {
        id: "unpublish",
        tag: "States",
        summary: "Take a published ARK back",
        description:
          "Resolution stops, the row stays, publish brings it back. Needs `reason` (SVC-1017) and `confirm`, the ARK retyped (SVC-1018).",
        scopes: ["ark:unpublish"],
        success: RECORD,
        errors: [1001, 1004, 1017, 1018, 1303, 1401, 1503, 1505],
        problems: inFields,
      }),
    )
    .post(
      "/unpublish/bulk",
      async ({ body, request }) => ({
        unpublished: (await lifecycle.unpublishBulk(guard.call(request), body)).length,
      }),
      writing(guard, BulkUnpublishIn, {
        id: "unpublishBulk",
        tag: "States",
        summary: "Take many published ARKs back",
        description: `One \`reason\` for all; \`confirm\` is the number of rows. ${ROWS}`,
        scopes: ["ark:unpublish"],
        success: { 200: { description: "How many names were unpublished", schema: BulkUnpublishOut } },
        errors: [1001, 1004, 1011, 1017, 1018, 1019, 1303, 1401, 1503, 1505],
        problems: inFields,
      }),
    );

/** Holds of a name, a shoulder or a NAAN. */
const arkHoldRoutes = ({ guard, lifecycle, clock }: ChangingNeeds) =>
  new Elysia({ name: "ark-hold-routes", prefix: "/api" })
    .use(errors(arkDialect))
    .put(
      "/hold",
      async ({ body, request }) => toHoldOut(await lifecycle.hold(guard.call(request), body), clock.now()),
      writing(guard, HoldIn, {
        id: "hold",
        tag: "Holds",
        summary: "Hold a name, a shoulder or a NAAN for a while",
        description:
          "Until then the resolver describes instead of redirecting. Name exactly one of `ark`, `shoulder`, `naan`; the last two need a " +
          "credential that reaches the NAAN, a NAAN of others that we only forward for the system tier. `until` is in the future and within the limit (SVC-1020); the hold ends by the clock. " +
          "A second hold replaces the first.",
        scopes: ["ark:hold"],
        success: { 200: { description: "The record, or the hold of the shoulder or NAAN", schema: HoldOut } },
        errors: [1001, 1004, 1008, 1009, 1020, 1302, 1303, 1308, 1401, 1503, 1505],
        problems: inFields,
      }),
    )
    .put(
      "/hold/release",
      async ({ body, request }) => toHoldOut(await lifecycle.release(guard.call(request), body), clock.now()),
      writing(guard, HoldReleaseIn, {
        id: "releaseHold",
        tag: "Holds",
        summary: "End a hold before its time",
        description: "Name exactly one of `ark`, `shoulder`, `naan`. Without a hold nothing happens.",
        scopes: ["ark:hold"],
        success: { 200: { description: "The record, or the shoulder or NAAN without its hold", schema: HoldOut } },
        errors: [1001, 1004, 1008, 1009, 1302, 1303, 1308, 1401],
      }),
    );

// Endpoints that withdraw a name for ever: delete, delete/bulk, purge (specification 1, "States and transitions"; A9,
// A11, A17).

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
