// Reading the raw request target (A1, A2, A33, A34, A43, A49).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readName, restAfter, tailAfter } from "../../src/ark/received-name.ts";
import { hasDotDotSegment, inflectionOf, languageOf, readRequestTarget } from "../../src/ark/request-path.ts";
import { hasBrokenPercent, normalizeName } from "../../src/ark/syntax.ts";
import { joinQuery, joinTail } from "../../src/ark/target.ts";
import { pathAndQueryOf } from "../../src/shared/http/address.ts";

import { vectors } from "../support/vectors.ts";

describe("A2 the request target", () => {
  test.each(vectors("request-targets.txt").map((fields) => [fields[0] ?? "", fields] as const))(
    "A2 A33 A43 A49 %s is read as in the vector",
    (target, fields) => {
      const reading = readRequestTarget(target, "/pid");
      if (fields[1] === "other") expect(reading.kind).toBe("other");
      else if (fields[1] === "1001") expect(reading).toMatchObject({ kind: "refused", code: 1001 });
      else {
        const orNull = (field: string | undefined): string | null => (field === "-" ? null : (field ?? ""));
        expect(reading).toMatchObject({
          kind: "ark",
          request: { naanText: fields[1], nameText: orNull(fields[2]), query: orNull(fields[3]) },
        });
      }
    },
  );

  test("A34 L63 path and query are cut from the URL as they came, never parsed or decoded", () => {
    expect(pathAndQueryOf("http://h/ark:1/x%2fy?")).toBe("/ark:1/x%2fy?");
    expect(pathAndQueryOf("http://ark:8080/ark:26341/b1??")).toBe("/ark:26341/b1??");
    expect(pathAndQueryOf("/ark:1/x?u=http://a/b")).toBe("/ark:1/x?u=http://a/b");
    expect(pathAndQueryOf("https://h")).toBe("/");
    expect(pathAndQueryOf("https://h?x=/y")).toBe("/?x=/y");
    expect(pathAndQueryOf("http://h/ark:1/x#frag")).toBe("/ark:1/x");
  });

  test("A33 only the four queries are inflections, up to the first &, and case counts", () => {
    expect(["", "?", "info", "json", "info&lang=en", "&lang=en"].map(inflectionOf)).toEqual([
      "kernel",
      "support",
      "info",
      "json",
      "info",
      "kernel",
    ]);
    for (const query of [null, "info=1", "INFO", "Json", "a=b", "??", "lang=en", " info"]) {
      expect(inflectionOf(query)).toBe(null);
    }
  });

  test("L61 the language is read behind an & only", () => {
    expect(languageOf("info&lang=ja")).toBe("ja");
    expect(languageOf("?&lang=en-GB&x=1")).toBe("en-GB");
    expect(languageOf("lang=ja")).toBe(null);
    expect(languageOf("info&lang=")).toBe(null);
  });
});

describe("names as received", () => {
  const received = fc.string({
    unit: fc.constantFrom("a", "b", "7", "X", "/", ".", "-", "\u2010", "\u2212", "%2f", "%2D", "%E2%80%90", "=", "~"),
    maxLength: 24,
  });

  test("A1 the normal form with positions is the normal form of the grammar, for any text", () => {
    fc.assert(
      fc.property(received, (text) => {
        fc.pre(!hasBrokenPercent(text));
        const read = readName(text);
        expect(read.name).toBe(normalizeName(text));
        expect(readName(read.name).name).toBe(read.name);
      }),
    );
  });

  test("A1a without encoded dashes a name reads as if they had been hyphens", () => {
    expect(readName("x5%E2%80%90np%e2%88%92wh%EF%BC%8D8%C2%AD/p%E2%80%94", true).name).toBe("x5npwh8/p");
    expect(readName("x5%E2%80%96", true).name).toBe("x5%E2%80%96");
    fc.assert(
      fc.property(received, (text) => {
        fc.pre(!hasBrokenPercent(text));
        expect(readName(text, true).name).toBe(normalizeName(text.replaceAll("%E2%80%90", "-")));
      }),
    );
  });

  test.each(vectors("tails.txt").map(([text = "", length = "", tail = ""]) => [text, Number(length), tail] as const))(
    "A32 of %s, cut after %i characters, the tail is %s",
    (text, length, tail) => {
      expect(tailAfter(readName(text), length)).toBe(tail);
    },
  );

  test("A32 a tail begins with its boundary, and together with what matched it has the normal form of the whole", () => {
    fc.assert(
      fc.property(received, (text) => {
        fc.pre(!hasBrokenPercent(text));
        const read = readName(text);
        for (let length = 1; length < read.name.length; length++) {
          if (!/[/.]/.test(read.name.charAt(length))) continue;
          const tail = tailAfter(read, length);
          expect(tail.charAt(0)).toBe(read.name.charAt(length));
          expect(normalizeName(read.name.slice(0, length) + tail)).toBe(read.name);
        }
      }),
    );
  });

  test("A31b what follows a shoulder keeps its hyphens and case", () => {
    expect(restAfter(readName("tk-t42-Ab%2f/c"), 5)).toBe("-Ab%2f/c");
    expect(restAfter(readName("abc"), 0)).toBe("abc");
  });
});

describe("targets", () => {
  test.each(
    vectors("passthrough.txt").map(([target = "", tail = "", location = ""]) => [target, tail, location] as const),
  )("A32 L51 %s with %s leads to %s", (target, tail, location) => {
    expect(joinTail(target, tail)).toBe(location);
  });

  test("A32 A43 a tail never leads out of the target, however its dots meet the target's end", () => {
    const piece = fc.constantFrom("/", ".", "..", "%2e", "%2E", "a", "-", "//", "./");
    const tail = fc
      .tuple(fc.constantFrom("/", "."), fc.array(piece, { maxLength: 8 }))
      .map(([first, rest]) => first + rest.join(""));
    const target = fc.constantFrom("https://t.example/x/y/", "https://t.example/x/y/.", "https://t.example/x/y/%2e");
    fc.assert(
      fc.property(target, tail, (base, text) => {
        // What A43 refuses never comes here.
        fc.pre(!hasDotDotSegment(`/ark:99999/b1${text}`));
        expect(new URL(joinTail(base, text)).pathname.startsWith("/x/y/")).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("A3 A32 a tail never changes the host, whatever is in it", () => {
    const tail = fc
      .tuple(fc.constantFrom("/", "."), fc.string({ unit: "binary", maxLength: 30 }))
      .map((parts) => parts.join(""));
    const target = fc.constantFrom(
      "https://t.example",
      "https://t.example/",
      "https://t.example/x?y=",
      "https://t.example#f",
    );
    fc.assert(
      fc.property(target, tail, (url, text) => {
        const joined = joinTail(url, text.replaceAll("%", ""));
        expect(new URL(joined).host).toBe("t.example");
        expect(/^[\x21-\x7e]*$/.test(joined)).toBe(true);
      }),
    );
  });

  test("A31b A33 a query goes on with ? or &, before a fragment, and a bare ? is not lost", () => {
    expect(joinQuery("https://t/x", "a=b")).toBe("https://t/x?a=b");
    expect(joinQuery("https://t/x?y=1", "a=b")).toBe("https://t/x?y=1&a=b");
    expect(joinQuery("https://t/x#f", "a=b")).toBe("https://t/x?a=b#f");
    expect(joinQuery("https://t/x", "")).toBe("https://t/x?");
    expect(joinQuery("https://t/x", "?")).toBe("https://t/x??");
    expect(joinQuery("https://t/x?dossier=42", "info")).toBe("https://t/x?dossier=42&info");
    expect(joinQuery("https://t/x", null)).toBe("https://t/x");
    expect(joinQuery("https://t/x", 'q=a b"ñ\r\n')).toBe("https://t/x?q=a%20b%22%C3%B1%0D%0A");
  });
});
