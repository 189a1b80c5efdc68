// Bodies of requests and invitations (R37): a number and a text are one id, and every fault is named.
import { expect, test } from "bun:test";
import { sentRecord } from "../../../src/model/input/record-refusals.ts";
import { INCLUSIONS } from "../../../src/repository/requests/inclusions.ts";
import { INVITATION } from "../../../src/repository/requests/invitations.ts";
import { REQUEST_QUERY } from "../../../src/repository/requests/request-lists.ts";
import { Refusal } from "../../../src/shared/refusal.ts";

const faultsOf = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return error instanceof Refusal ? error.detail.errors : error;
  }
};

test("R37 an id is sent as text or as a number, and an id that brings its own toString is neither", () => {
  const invite = (...ids: readonly unknown[]) =>
    faultsOf(sentRecord(INVITATION, { members: ids.map((id) => ({ type: "user", id })), role: "reader" }));
  expect(invite(7, "7")).toMatchObject({ members: [{ id: "7" }, { id: "7" }] });
  expect(invite(7, { toString: "x" })).toEqual([{ field: "members.1.id", messages: ["Not a valid string."] }]);
});

test("R37 all faults of an invitation, of inclusions and of an address are named at once", () => {
  const invited = { members: [{ type: "group" }, { type: "user", id: "1" }], role: "boss", message: 7 };
  expect(faultsOf(sentRecord(INVITATION, invited))).toEqual([
    { field: "members.0.type", messages: ["Must be one of: user, email."] },
    { field: "members.0.id", messages: ["Missing data for required field."] },
    { field: "role", messages: ["Must be one of: owner, manager, curator, reader."] },
    { field: "message", messages: ["Not a valid string."] },
  ]);
  const wanted = [
    { id: "c1", comment: { payload: { content: "" } } },
    { id: 7, require_review: "yes" },
  ];
  expect(faultsOf(sentRecord(INCLUSIONS, { communities: wanted }))).toEqual([
    { field: "communities.0.comment.payload.content", messages: ["Shorter than minimum length 1."] },
    { field: "communities.1.id", messages: ["Not a valid string."] },
    { field: "communities.1.require_review", messages: ["Not a valid boolean."] },
  ]);
  const asked = new URLSearchParams({ is_open: "perhaps", size: "0", status: "accepted" });
  expect(faultsOf(() => REQUEST_QUERY.read(asked))).toMatchObject([{ field: "is_open" }, { field: "size" }]);
});
