// Queries in Lucene's manner (R27; specification 3, search_records; reference 2.6): read, written, compared, in limited
// time.
import { describe, expect, test } from "bun:test";
import process from "node:process";
import fc from "fast-check";
import { communitiesSought } from "../../../src/repository/communities/community-query.ts";
import { requestsSought } from "../../../src/repository/requests/request-query.ts";
import { regexAutomaton, wildcardAutomaton } from "../../../src/repository/search/lucene/automaton.ts";
import { BrokenQuery, tokensOfQuery } from "../../../src/repository/search/lucene/lexer.ts";
import { isNear } from "../../../src/repository/search/lucene/nearness.ts";
import { asWords, parseLucene } from "../../../src/repository/search/lucene/parser.ts";
import { prepareQuery } from "../../../src/repository/search/lucene/prepare-query.ts";
import { printQuery } from "../../../src/repository/search/lucene/query.ts";
import { spanOf } from "../../../src/repository/search/lucene/spans.ts";
import { cpuMs } from "../../support/cpu-time.ts";
import { arbitraryLucene } from "../../support/lucene-queries.ts";
import { randomFrom } from "../../support/random-from.ts";

const understood = (text: string): readonly [string, string] => {
  const { query, mode } = parseLucene(text);
  return [mode, query === null ? "" : printQuery(query)];
};

describe("R27: a query is read", () => {
  test.each<readonly [string, string]>([
    ["quantum library", "quantum library"],
    ["a OR b", "a b"],
    ["a || b", "a b"],
    ["a AND b OR c", "(a AND b) c"],
    ["a && !b", "a AND NOT b"],
    ["+a -b c", "+a -b c"],
    ["a NOT b", "a -b"],
    ["a OR NOT b", "a (NOT b)"],
    ["NOT NOT a", "a"],
    ["and or not", "and or not"],
    ['title:"x y"~5', 'title:"x y"~5'],
    ["metadata.title:(a AND b)", "metadata.title:(a AND b)"],
    ["metadata.title: a", "metadata.title:a"],
    ["created:[2017 TO *]", 'created:["2017" TO *]'],
    ["created:{2017 TO 2018-02]", 'created:{"2017" TO "2018-02"]'],
    ["files.count:>=3", 'files.count:["3" TO *]'],
    ["files.count:<3", 'files.count:[* TO "3"}'],
    ["qu?ck bro*", "qu?ck bro*"],
    ["What moves the tides?", "What moves the tides"],
    ["What moves the tides ??", "What moves the tides"],
    ["the tides?", "the tides?"],
    ["What moves AND tides?", "What (moves AND tides?)"],
    ["What t?des move tides?", "What t?des move tides?"],
    ["/joh?n(ath[oa]n)/", "/joh?n(ath[oa]n)/"],
    ["/a\\/b/", "/a\\/b/"],
    ["roam~ roam~1 roam~0.8", "roam~ roam~1 roam~"],
    ["a^2 b", "(a^2) b"],
    ["_exists_:metadata.funding", "_exists_:metadata.funding"],
    ["*:*", "*"],
    ["*", "*"],
    ["https://example.org/x?y", "https\\://example.org/x?y"],
    ["ark:/99999/fk4", "ark\\:/99999/fk4"],
    ["metadata.identifiers.identifier:doi:10.5072/x", "metadata.identifiers.identifier:doi\\:10.5072/x"],
    ["custom_fields.journal\\:journal.title:Nature", "custom_fields.journal\\:journal.title:Nature"],
    ["cats - dogs", "cats dogs"],
    ["C++ Hello!", "C++ Hello!"],
    ["\\AND \\(x\\)", "\\AND \\(x\\)"],
  ])("S3.6.231: %s", (text, printed) => {
    if (printed === "\\AND \\(x\\)") return expect(parseLucene(text).mode).toBe("lucene");
    expect(understood(text)).toEqual(["lucene", printed]);
  });

  test.each([
    "(a",
    "a)",
    '"a',
    "a AND",
    "OR a",
    "a:",
    ":a",
    "[1 TO",
    "[1 2]",
    "a^",
    "~2",
    "/a",
    "()",
    "a\\",
    "AND",
    "+",
  ])("S3.6.223: %s is taken as words", (text) => {
    const { mode, query } = parseLucene(text);
    expect([mode, query]).toEqual(["words", asWords(text).query]);
  });

  test("S3.6.231: blanks ask for nothing, and what is too long is refused", () => {
    expect(parseLucene(" \n").query).toBeNull();
    expect(() => parseLucene("a".repeat(10_001))).toThrow("q may have 10000 characters at most");
  });

  test("S3.6.231: any text is read, and what is printed is read as the same query", () => {
    const text = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc
        .array(
          fc.constantFrom(
            ..."( ) [ ] { } \" ' / \\ * ? ~ ^ : + - ! AND OR NOT TO && || a b 1 2.5 f: _exists_: *:* 図書".split(" "),
            " ",
          ),
          { maxLength: 25 },
        )
        .map((all) => all.join("")),
    );
    fc.assert(
      fc.property(text, (written) => {
        const { query, mode } = parseLucene(written);
        if (query === null || mode === "words") return;
        const again = parseLucene(printQuery(query));
        expect([again.mode, again.query]).toEqual(["lucene", query]);
      }),
      { numRuns: 3_000 },
    );
    fc.assert(
      fc.property(arbitraryLucene, (query) => {
        const { query: read, mode } = parseLucene(printQuery(query));
        expect([mode, read]).toEqual(["lucene", read]);
        expect(printQuery(read ?? query)).toBe(printQuery(query));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("R27: partial dates cover what they name", () => {
  const ms = (text: string): number => Date.parse(text);
  test.each<readonly [string, string, string]>([
    ["2017", "2017-01-01T00:00:00.000Z", "2017-12-31T23:59:59.999Z"],
    ["2024-02", "2024-02-01T00:00:00.000Z", "2024-02-29T23:59:59.999Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z", "2024-02-29T23:59:59.999Z"],
    ["2024-02-29T10:30", "2024-02-29T10:30:00.000Z", "2024-02-29T10:30:59.999Z"],
    ["2024-02-29T10:30:05Z", "2024-02-29T10:30:05.000Z", "2024-02-29T10:30:05.999Z"],
    ["2024-02-29T10:30:05.120+09:00", "2024-02-29T01:30:05.120Z", "2024-02-29T01:30:05.120Z"],
  ])("S3.6.221: %s", (text, from, to) => {
    expect(spanOf(text, "instant")).toEqual({ from: ms(from), to: ms(to) });
  });

  test("S3.6.221: days are numbers, and what is not a date or number is nothing", () => {
    expect(spanOf("2017-03", "day")).toEqual({ from: 20_170_301, to: 20_170_331 });
    expect(["2023-02-29", "2023-02-29T10:00", "x", "2017-13"].map((text) => spanOf(text, "instant"))).toEqual([
      ...[null, null, null, null],
    ]);
    expect([spanOf("-3", "number"), spanOf("1e9", "number"), spanOf("", "number")]).toEqual([
      ...[{ from: -3, to: -3 }, null, null],
    ]);
  });
});

describe("R27: patterns are compared without going back", () => {
  const letters = (text: string): string => text.toLowerCase();

  test("S3.6.222: regular expressions mean what they mean elsewhere", () => {
    const source = fc.letrec<{ some: string }>((tie) => ({
      some: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom("a", "b", "c", ".", "[ab]", "[^a]", "[a-c]", "\\."),
        fc.tuple(tie("some"), tie("some")).map((two) => two.join("")),
        fc.tuple(tie("some"), tie("some")).map(([one, other]) => `(${one}|${other})`),
        fc
          .tuple(tie("some"), fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "{0,}"))
          .map(([one, sign]) => `(${one})${sign}`),
      ),
    })).some;
    fc.assert(
      fc.property(
        source,
        fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c", "d", "."), maxLength: 6 }), { maxLength: 8 }),
        (written, words) => {
          let automaton: ReturnType<typeof regexAutomaton>;
          try {
            automaton = regexAutomaton(written, letters);
          } catch (error) {
            // Too many states are refused, and nothing else here.
            expect(error).toBeInstanceOf(BrokenQuery);
            return;
          }
          const expression = new RegExp(`^(?:${written})$`);
          for (const word of words) {
            expect([written, word, automaton.matches(word)]).toEqual([written, word, expression.test(word)]);
            if (automaton.matches(word)) expect(word.startsWith(automaton.prefix)).toBe(true);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test.each([
    "(",
    "a)",
    "a**",
    "[a",
    "a{2",
    "a{60}",
    "a{3,2}",
    "~a",
    "a&b",
    "<1-9>",
    "\\",
    "((((((((((((((((((((((a))))))))))))))))))))))",
    "((a{50}){50}){50}",
    "+",
  ])("S3.6.222: %s is not an expression that is compared", (source) => {
    expect(() => regexAutomaton(source, letters)).toThrow(BrokenQuery);
  });

  test("S3.6.222: an expression and a pattern have 200 characters at most, a repetition 50, groups 20 levels", () => {
    const nested = (depth: number) => `${"(".repeat(depth)}a${")".repeat(depth)}`;
    for (const of of [(count: number) => "a".repeat(count * 4), (count: number) => `a{${count}}`]) {
      expect(regexAutomaton(of(50), letters).matches(of(50).startsWith("aa") ? "a".repeat(200) : "a".repeat(50))).toBe(
        true,
      );
      expect(() => regexAutomaton(of(51), letters)).toThrow(BrokenQuery);
    }
    expect(regexAutomaton(nested(20), letters).matches("a")).toBe(true);
    expect(() => regexAutomaton(nested(21), letters)).toThrow(BrokenQuery);
    const pattern = (count: number) => wildcardAutomaton([{ kind: "letters", text: "a".repeat(count) }], letters);
    expect(pattern(200).matches("a".repeat(200))).toBe(true);
    expect(() => pattern(201)).toThrow(BrokenQuery);
  });

  test("S3.6.222: words are near where at most N letters differ, are missing, added or swapped", () => {
    expect([isNear("tidse", "tides", 1), isNear("tide", "tides", 1), isNear("tidess", "tides", 1)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([isNear("tdise", "tides", 1), isNear("tdise", "tides", 2), isNear("abc", "cba", 2)]).toEqual([
      false,
      true,
      true,
    ]);
    expect([isNear("", "ab", 2), isNear("", "abc", 2), isNear("same", "same", 0)]).toEqual([true, false, true]);
  });
});

describe("R9a: hostile queries take time in proportion to their length", () => {
  const MIB = 1024 * 1024;
  test.each<readonly [string, string]>([
    ["parentheses", "(".repeat(MIB)],
    ["closed groups", "()".repeat(MIB / 2)],
    ["alternatives", "a OR ".repeat(100_000)],
    ["stars", "*a".repeat(MIB / 2)],
    ["quotes", '"'.repeat(MIB)],
    ["backslashes", "\\".repeat(MIB)],
    ["slashes", "/ ".repeat(MIB / 2)],
    ["colons", "a:".repeat(MIB / 2)],
    ["brackets", "[".repeat(MIB)],
    ["ranges", "[1 TO 2] ".repeat(100_000)],
    ["tildes", "a~1 ".repeat(MIB / 4)],
    ["minus signs", "-".repeat(MIB)],
    ["nots", "NOT ".repeat(MIB / 4)],
    ["blanks", `a${" ".repeat(MIB)}b`],
    ["addresses", "http:".repeat(MIB / 5)],
  ])("S3.6.233: a MiB of %s", async (_, text) => {
    const ms = await cpuMs(() => {
      try {
        tokensOfQuery(text);
      } catch (error) {
        expect(error).toBeInstanceOf(BrokenQuery);
      }
      parseLucene(text.slice(0, 10_000));
      asWords(text);
    });
    expect(ms).toBeLessThan(1_000);
  });

  test("S3.6.233: patterns that would go back for ever elsewhere", async () => {
    const word = "a".repeat(48);
    const ms = await cpuMs(() => {
      for (const source of ["(a*)*b", "(a|a)*b", "(a+)+b", "(.*){10}x"]) {
        const { matches } = regexAutomaton(source, (text) => text);
        for (let at = 0; at < 100; at += 1) expect(matches(word)).toBe(false);
      }
      const stars = Array.from({ length: 60 }, (_, at) =>
        at % 2 === 0 ? ({ kind: "many" } as const) : ({ kind: "letters", text: "a" } as const),
      );
      const { matches } = wildcardAutomaton([...stars, { kind: "letters", text: "b" }], (text) => text);
      for (let at = 0; at < 100; at += 1) expect(matches(word)).toBe(false);
    });
    expect(ms).toBeLessThan(2_000);
  });

  test("S3.6.233: R9a a letter of a word costs about a step, however a pattern is written", () => {
    const words = Array.from({ length: 2_000 }, (_, at) => `word${(at * 7_919) % 100_003}ab${"ba".repeat(at % 7)}`);
    const letters = words.join("").length;
    for (const [source, found] of [
      ["(.{0,9}){0,9}1ab", /^.{0,81}1ab$/],
      ["(.*a|.*b)*.*[0-9]ab", /^.*[0-9]ab$/],
      [".*(0|1|2){2}.*", /^.*[012]{2}.*$/],
    ] as const) {
      const { matches, steps } = regexAutomaton(source, (text) => text);
      const right = words.filter((word) => found.test(word));
      expect(right.length).toBeGreaterThan(0);
      expect(right.length).toBeLessThan(words.length);
      expect([source, words.filter(matches)]).toEqual([source, right]);
      expect([source, steps() < letters * 3]).toEqual([source, true]);
    }
  });

  test("S3.6.233: R9a a pattern whose deterministic form is too large to be kept still finds what it means", () => {
    const random = randomFrom(7);
    const words = Array.from({ length: 3_000 }, () =>
      Array.from({ length: 40 }, () => (random.isOne(2) ? "a" : "b")).join(""),
    );
    const { matches, steps } = regexAutomaton(".*a.{18}", (text) => text);
    expect(words.filter(matches)).toEqual(words.filter((word) => word.at(-19) === "a"));
    // Never more than its states for a letter.
    expect(steps()).toBeLessThan(words.length * 40 * 60);
  });

  test("S3.6.233: R9a a query has at most 20 patterns, and one with more is refused by name", () => {
    const patterns = ["/ti.*s/", "w?nds", "wind*", "tidse~", "north~1"];
    const of = (count: number): string =>
      Array.from({ length: count }, (_, at) => patterns[at % patterns.length]).join(" ");
    expect(parseLucene(of(20)).mode).toBe("lucene");
    expect(() => parseLucene(of(21))).toThrow("q has 21 patterns (* ? ~ /…/), 20 at most are allowed");
    expect(() => parseLucene(of(290), "query")).toThrow("query has 290 patterns");
    expect(() => communitiesSought(of(21))).toThrow("q has 21 patterns");
    expect(() => requestsSought(of(21))).toThrow("q has 21 patterns");
    // What is not a pattern is not counted: words, phrases that need not be near, everything, ranges.
    expect(
      parseLucene(`${'"a b"~3 '.repeat(30)} ${"* ".repeat(30)} ${"created:[2017 TO 2019] ".repeat(30)}`).mode,
    ).toBe("lucene");
    // A text that is not a query is words, whatever is in it.
    expect(parseLucene(`(${of(30)}`).mode).toBe("words");
    expect(parseLucene("a?".repeat(101)).mode).toBe("words");
    expect(parseLucene("a?".repeat(100)).mode).toBe("lucene");
  });
});

describe("R9a: patterns are compared with words of the index in parts", () => {
  const all = Array.from({ length: 49_000 }, (_, at) => `w${String(at).padStart(6, "0")}${"xyz".repeat(at % 4)}`);
  function reading(word: (word: string) => void = () => {}) {
    const reads: number[] = [];
    const wordsOf = async (_field: string, prefix: string, after: string, limit: number) => {
      const from = after === "" ? 0 : all.indexOf(after) + 1;
      const read = all.slice(from, from + limit).filter((each) => each.startsWith(prefix));
      reads.push(read.length);
      for (const each of read) word(each);
      return read;
    };
    return { reads, needs: { finder: { wordsOf }, communities: { community: async () => null } } };
  }

  test("S3.6.233: few words are read at once where reading them takes long", async () => {
    const quick = reading();
    expect((await prepareQuery(quick.needs, "/w.*[0-9]z+1/")).mode).toBe("lucene");
    expect([Math.max(...quick.reads), quick.reads.reduce((sum, each) => sum + each, 0)]).toEqual([2_000, all.length]);
    const slow = reading((word) => {
      if (!word.endsWith("00")) return;
      const end = performance.now() + 6;
      while (performance.now() < end);
    });
    await prepareQuery(slow.needs, "/w0000.*z+1/");
    expect(slow.reads.filter((count) => count > 16).length).toBeLessThan(10);
  });

  test("S3.6.233: others have their turn while words are compared", async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const words = "/w.*0{1,9}(.{0,9}){0,6}1/ OR w*9?1 OR /w.*[^x]{3}(xy.)+q/";
    const before = process.cpuUsage();
    await prepareQuery(reading().needs, words);
    const { user, system } = process.cpuUsage(before);
    isOver = true;
    expect(turns).toBeGreaterThan((user + system) / 1_000 / 25);
    expect(turns).toBeGreaterThan(20);
  });

  test("S3.6.233: a query whose comparisons take too many steps is asked as words", async () => {
    const { reads, needs } = reading();
    const patterns = Array.from({ length: 12 }, (_, at) => `/w.*(.{0,9}){0,9}${at}x/`).join(" ");
    expect((await prepareQuery(needs, patterns)).mode).toBe("words");
    expect(reads.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(all.length * 2);
  });
});
