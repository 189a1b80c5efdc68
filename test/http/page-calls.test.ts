// Interfaces that a page of ours calls for the person who is signed in (R33, R43).
import { expect, test } from "bun:test";
import { RECORD } from "../support/record-calls.ts";
import { csrfIn, visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: {} });

async function signedIn(who: "registered" | "general") {
  const browser = visitor(world.handler);
  await browser.signIn(world.people[who].token);
  const cookie = [...browser.cookies].map((each) => each.join("=")).join("; ");
  return { browser, cookie, token: csrfIn((await browser.get("/account/tokens")).text) };
}
const create = (headers: Readonly<Record<string, string>>) =>
  world.ask(null, "POST", "/api/records", {
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(RECORD),
  });

test("P.212 the session counts together with the token of the page's forms, and is the person", async () => {
  const { cookie, token } = await signedIn("registered");
  const made = await create({ cookie, "x-csrftoken": token });
  expect(made.status).toBe(201);
  const own = await world.ask("registered", "GET", `/api/records/${made.json.id}/draft`);
  expect(own.status).toBe(200);
});

test("P.212 a cookie alone is nobody, another token is refused, and so is a session that has ended", async () => {
  const [one, other] = [await signedIn("registered"), await signedIn("general")];
  expect((await create({ cookie: one.cookie })).status).toBe(401);
  expect((await create({ cookie: one.cookie, "x-csrftoken": other.token })).status).toBe(403);
  expect((await create({ cookie: one.cookie, "x-csrftoken": "" })).status).toBe(403);
  expect((await create({ "x-csrftoken": one.token })).status).toBe(401);
  await one.browser.post("/account/logout", { csrf: one.token });
  expect((await create({ cookie: one.cookie, "x-csrftoken": one.token })).status).toBe(401);
});

test("R9 P.212 what is refused counts against the limit of its address", async () => {
  const { cookie, token } = await signedIn("registered");
  for (const headers of [{ cookie, "x-csrftoken": "guess" }, { "x-csrftoken": token }]) {
    const limited = world.under({ SVC_RATE_PER_MINUTE: "1" });
    const ask = () => limited.ask(null, "GET", "/api/records", { headers });
    const first = await ask();
    expect([first.status, (await ask()).status]).toEqual(["cookie" in headers ? 403 : 401, 429]);
  }
});

test("P.212 a token in the header counts, whatever session comes with it", async () => {
  const { cookie, token } = await signedIn("registered");
  const headers = { cookie, "x-csrftoken": token, authorization: "Bearer svc_wrong" };
  expect((await create(headers)).status).toBe(401);
});

test("P.212 rights are those of the account: a session opens nothing more", async () => {
  const { cookie, token } = await signedIn("registered");
  const answer = await world.ask(null, "GET", "/api/v1/admin/jobs", { headers: { cookie, "x-csrftoken": token } });
  expect(answer.status).toBe(403);
});
