// Members of a transaction are made when they are first used.
import { expect, test } from "bun:test";
import { lazyMembers, type Session } from "../../db/engine/dialect.ts";

test("lazyMembers() makes each member once, when it is first read, and all of them for a spread", () => {
  const made: string[] = [];
  const session = { dialect: "sqlite" } as Session;
  const open = lazyMembers<{ readonly first: object; readonly second: object }>({
    first: (given) => ({ place: made.push(`first ${given.dialect}`) }),
    second: (given) => ({ place: made.push(`second ${given.dialect}`) }),
  });
  const members = open(session);
  expect(made).toEqual([]);
  const { second } = members;
  expect(members.second).toBe(second);
  expect(made).toEqual(["second sqlite"]);
  expect({ ...members }).toEqual({ first: { place: 2 }, second: { place: 1 } });
  expect(made).toEqual(["second sqlite", "first sqlite"]);
  expect(open(session).second).not.toBe(second);
});
