// Forms that a browser would never send: refused while they are read, before anything is taken apart (R9a, R33).
import { describe, expect, test } from "bun:test";
import { LIMITS } from "../../src/shared/limits.ts";
import { cpuMs } from "../support/cpu-time.ts";
import { csrfIn, type Visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const ENDPOINTS = ["/account/login", `/account/login/${"a".repeat(43)}`, "/account/logout"];
const OF_PEOPLE = ["/account/tokens", "/account/tokens/revoke"];

const send = (browser: Visitor, path: string, body: BodyInit) =>
  browser.send(path, { method: "POST", headers: FORM, body });

/** A body without a declared length. */
function stream(text: string, pieceBytes: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, at + pieceBytes));
      at += pieceBytes;
    },
  });
}

describe("forms that are too large", () => {
  test("R9a two million fields are refused at every form before they are split", async () => {
    const [guest, person] = [world.visitor(), world.visitor()];
    await person.signIn(await world.token(world.owner));
    const body = "a=b&cd=1".repeat(2_000_000);
    for (const [browser, path] of [
      ...ENDPOINTS.map((each) => [guest, each] as const),
      ...OF_PEOPLE.map((each) => [person, each] as const),
    ]) {
      const ms = await cpuMs(async () => {
        expect([path, (await send(browser, path, body)).status]).toEqual([path, 413]);
      });
      expect(ms).toBeLessThan(1_000);
    }
  });

  test("R9a a form may have 64 KiB and 200 fields, and no more", async () => {
    const browser = world.visitor();
    const csrf = csrfIn((await browser.get("/account/login")).text);
    const start = `csrf=${csrf}&token=x&more=`;
    const { formBytes, formFields } = LIMITS;
    const ofBytes = (bytes: number): string => start + "x".repeat(bytes - start.length);
    const ofFields = (fields: number): string => start + "&a=1".repeat(fields - 3);
    const status = async (body: string): Promise<number> => (await send(browser, "/account/login", body)).status;
    expect(await status(ofBytes(formBytes.most))).toBe(403);
    expect(await status(ofBytes(formBytes.most + 1))).toBe(413);
    expect(await status(ofFields(formFields.most))).toBe(403);
    expect(await status(ofFields(formFields.most + 1))).toBe(413);
  });

  test("R9a a form without declared length is refused as soon as more has come, and when it comes byte by byte", async () => {
    const browser = world.visitor();
    expect((await send(browser, "/account/login", stream("a=b&".repeat(1_000_000), 65_536))).status).toBe(413);
    expect((await send(browser, "/account/login", stream("a".repeat(70_000), 16))).status).toBe(413);
    expect((await send(browser, "/account/login", stream("a".repeat(70_000), 1))).status).toBe(408);
    const csrf = csrfIn((await browser.get("/account/login")).text);
    const whole = `csrf=${csrf}&token=${await world.token(world.owner)}`;
    expect((await send(browser, "/account/login", stream(whole, 1))).status).toBe(303);
  });
});
