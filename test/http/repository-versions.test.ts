// Unknown versions of the repository's interfaces (R9; specification 2, "Versioning").
import { expect, test } from "bun:test";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true });

test.each(["/api/v2/workflow/activities", "/api/v9/admin/users", "/api/v2/tree", "/api/2/tree/1"])(
  "R9 S2.20 %s is 400: there is no such version",
  async (path) => {
    const answer = await world.ask("admin", "GET", path);
    expect(answer).toMatchObject({ status: 400, json: { code: 400, message: "This API version does not found" } });
  },
);

test.each(["/api/v1/workflow", "/api/v1/nothing", "/api/v2/nothing"])("R9 %s is 404 in any version", async (path) => {
  const answer = await world.ask("admin", "GET", path);
  expect([answer.status, answer.json.code]).toEqual([404, 404]);
});
