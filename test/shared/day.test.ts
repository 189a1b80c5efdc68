// Days in a time zone (R2d, SVC_TIME_ZONE).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { dayIn, dayStart } from "../../src/shared/time/day.ts";

describe("dayStart()", () => {
  test.each([
    ["UTC", "2026-11-20T10:00:00.000Z", "2026-11-20T00:00:00.000Z"],
    ["UTC", "2026-11-20T00:00:00.000Z", "2026-11-20T00:00:00.000Z"],
    ["UTC", "2026-11-20T23:59:59.999Z", "2026-11-20T00:00:00.000Z"],
    ["Asia/Tokyo", "2026-11-20T14:59:00.000Z", "2026-11-19T15:00:00.000Z"],
    ["Asia/Tokyo", "2026-11-20T15:00:00.000Z", "2026-11-20T15:00:00.000Z"],
    // 25 hours long, and 23.
    ["Europe/Berlin", "2026-10-25T22:30:00.000Z", "2026-10-24T22:00:00.000Z"],
    ["Europe/Berlin", "2026-03-29T21:30:00.000Z", "2026-03-28T23:00:00.000Z"],
    // A day that begins at one o'clock, since the first hour is left out.
    ["Africa/Cairo", "2026-04-24T12:00:00.000Z", "2026-04-23T22:00:00.000Z"],
  ])("R2d in %s the day of %s began at %s", (zone, now, start) => {
    expect(dayStart(zone, now)).toBe(start);
  });

  test("R2d it is of the same day, and the minute before it is not", () => {
    const zones = ["UTC", "Asia/Tokyo", "America/St_Johns", "Pacific/Apia", "Asia/Kathmandu", "Europe/London"];
    const times = { min: new Date("2000-01-01T00:00:00Z"), max: new Date("2040-01-01T00:00:00Z"), noInvalidDate: true };
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.date(times), (zone, date) => {
        const now = date.toISOString();
        const start = dayStart(zone, now);
        const before = new Date(Date.parse(start) - 60_000).toISOString();
        expect(start <= now).toBe(true);
        expect([dayIn(zone, start), dayIn(zone, before) < dayIn(zone, now)]).toEqual([dayIn(zone, now), true]);
      }),
    );
  });
});
