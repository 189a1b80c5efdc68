// Endpoints that make names: mint, register, import (specification 1, "Management endpoints"; A5 to A8, A13 to A15,
// A30).
import { Elysia } from "elysia";
import { BulkImportIn, BulkMintIn, ImportIn, MintIn, RegisterIn } from "../../src/ark/inputs.ts";
import type { Minting } from "../../src/ark/minting.ts";
import type { ErrorCode } from "../../src/shared/errors.ts";
import type { Clock } from "../../src/shared/time/clock.ts";
import { arkDialect, errors } from "../http/errors.ts";
import type { Success } from "./documentation.ts";
import { type Guard, inFields, inRows, statusOf, writing } from "./guard.ts";
import { ArkOut, BulkImportOut, BulkMintOut, toArkOut } from "./schemas.ts";

const TAG = "Minting";
const REPLAY =
  "With `request_id` the call is idempotent: a repeat answers 200 with the first record and `Idempotency-Replayed: true`, " +
  "whatever else it holds. The key of a name withdrawn since is refused (SVC-1506).";
const SHOULDER_ERRORS: readonly ErrorCode[] = [1302, 1303, 1304, 1308];
const RECEIPT_ERRORS: readonly ErrorCode[] = [1506, 1507];

const one = (description: string): Readonly<Record<number, Success>> => ({
  201: { description, schema: ArkOut },
  200: {
    description: "A repeat: the record made the first time, as it is now",
    schema: ArkOut,
    headers: ["Idempotency-Replayed"],
  },
});
const many = (schema: Success["schema"]): Readonly<Record<number, Success>> => ({
  201: { description: "All rows are done; at least one name is new", schema },
  200: { description: "No name is new: repeats only, or no rows", schema, headers: ["Idempotency-Replayed"] },
});

type AssigningNeeds = { readonly guard: Guard; readonly minting: Minting; readonly clock: Clock };

export const arkAssigningRoutes = (needs: AssigningNeeds) =>
  new Elysia({ name: "ark-assigning-routes" })
    .use(arkMintRoutes(needs))
    .use(arkRegisterRoutes(needs))
    .use(arkImportRoutes(needs));

/** New names under a shoulder. */
const arkMintRoutes = ({ guard, minting, clock }: AssigningNeeds) =>
  new Elysia({ name: "ark-mint-routes", prefix: "/api" })
    .use(errors(arkDialect))
    .post(
      "/mint",
      async ({ body, request, set }) => {
        const { record, replayed } = await minting.mint(guard.call(request), body);
        set.status = statusOf(set, replayed);
        return toArkOut(record, clock.now());
      },
      writing(guard, MintIn, {
        id: "mint",
        tag: TAG,
        summary: "Mint an ARK",
        description:
          "Makes a new name under the shoulder asked for, or the organisation's default. Without `reserve` it is public at once. " +
          `Every field is optional: \`{}\` mints. The target may hold \${ark}, \${naan} and \${name}, filled in now. ${REPLAY}`,
        scopes: ["ark:mint"],
        success: one("The new name"),
        errors: [1007, 1008, 1009, 1010, ...SHOULDER_ERRORS, 1306, 1309, ...RECEIPT_ERRORS, 1601],
        problems: inFields,
      }),
    )
    .post(
      "/mint/bulk",
      async ({ body, request, set }) => {
        const { records, created, replayed } = await minting.mintBulk(guard.call(request), body.data);
        set.status = statusOf(set, created === 0, replayed > 0);
        const now = clock.now();
        return { minted: records.map((record) => toArkOut(record, now)), created, replayed };
      },
      writing(guard, BulkMintIn, {
        id: "mintBulk",
        tag: TAG,
        summary: "Mint many ARKs, all or none",
        description:
          "One transaction; the answer keeps the order of the rows. A batch that was cut off may be resent unchanged when its rows " +
          "carry `request_id`. An error about one row names it in `detail.row` (from 0). A delegated row refuses the whole call with " +
          "403 (SVC-1309) and no `Location`.",
        scopes: ["ark:mint"],
        success: many(BulkMintOut),
        errors: [1007, 1008, 1009, 1010, 1011, ...SHOULDER_ERRORS, 1309, ...RECEIPT_ERRORS, 1601],
        problems: (body) => inRows(body.data),
      }),
    );

/** Parts and variants of a name. */
const arkRegisterRoutes = ({ guard, minting, clock }: AssigningNeeds) =>
  new Elysia({ name: "ark-register-routes", prefix: "/api" }).use(errors(arkDialect)).post(
    "/register",
    async ({ body, request, set }) => {
      const { record, replayed } = await minting.register(guard.call(request), body);
      set.status = statusOf(set, replayed);
      return toArkOut(record, clock.now());
    },
    writing(guard, RegisterIn, {
      id: "register",
      tag: TAG,
      summary: "Register a qualified name",
      description:
        "Gives a part (`/…`) or a variant (`.…`) of an existing ARK a separate record. No new number is assigned and no check " +
        "character is added. The part is public when its base is public at this moment, else reserved. Deep links below a name need " +
        `no registration: they are passed through. ${REPLAY}`,
      scopes: ["ark:mint"],
      success: one("The registered name"),
      errors: [
        1001,
        1002,
        1003,
        1004,
        1005,
        1014,
        1302,
        1303,
        1304,
        1306,
        1308,
        1309,
        1401,
        1505,
        ...RECEIPT_ERRORS,
        1601,
      ],
      problems: inFields,
    }),
  );

/** Names minted elsewhere. */
const arkImportRoutes = ({ guard, minting, clock }: AssigningNeeds) =>
  new Elysia({ name: "ark-import-routes", prefix: "/api" })
    .use(errors(arkDialect))
    .post(
      "/import",
      async ({ body, request, set }) => {
        const { record, replayed } = await minting.importOne(guard.call(request), body);
        set.status = statusOf(set, replayed);
        return toArkOut(record, clock.now());
      },
      writing(guard, ImportIn, {
        id: "importArk",
        tag: TAG,
        summary: "Take in an ARK minted elsewhere",
        description:
          "The name is under a delegated, active or import-only shoulder within reach; where the names of the shoulder carry " +
          `check characters, this one must fit. Imports are free of the quota. ${REPLAY}`,
        scopes: ["ark:import"],
        success: one("The imported name"),
        errors: [1001, 1004, 1005, 1012, 1013, 1014, 1302, 1303, 1307, 1308, 1505, ...RECEIPT_ERRORS],
        problems: inFields,
      }),
    )
    .post(
      "/import/bulk",
      async ({ body, request, set }) => {
        const { records, created, replayed } = await minting.importBulk(guard.call(request), body.data);
        set.status = statusOf(set, created === 0, replayed > 0);
        const now = clock.now();
        return { imported: records.map((record) => toArkOut(record, now)), created, replayed };
      },
      writing(guard, BulkImportIn, {
        id: "importArks",
        tag: TAG,
        summary: "Take in many ARKs, all or none",
        description: "As import, in one transaction. An error about one row names it in `detail.row` (from 0).",
        scopes: ["ark:import"],
        success: many(BulkImportOut),
        errors: [1001, 1004, 1005, 1011, 1012, 1013, 1014, 1019, 1302, 1303, 1307, 1308, 1505, ...RECEIPT_ERRORS],
        problems: (body) => inRows(body.data),
      }),
    );
