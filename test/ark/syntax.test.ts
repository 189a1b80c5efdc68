// Normal form and grammar of ARKs, qualifiers, shoulders and check characters (A1 to A4, A6, A7): vectors and
// properties.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mintedArk } from "../../src/ark/new-name.ts";
import { isImportOnlyShoulder, isShoulder, readShoulder, shoulderOfName } from "../../src/ark/shoulder.ts";
import {
  ancestorKeys,
  arkOf,
  arkOfKey,
  BETANUMERICS,
  baseKey,
  checkCharacter,
  formatArk,
  hasCheckCharacter,
  normalizeName,
  parseArk,
  qualify,
} from "../../src/ark/syntax.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { vectors } from "../support/vectors.ts";

/** The key of what `read` gives, or the code of its refusal. */
function keyOrCode(read: () => { readonly key: string }): string {
  try {
    return read().key;
  } catch (error) {
    if (error instanceof ServiceError) return String(error.code);
    throw error;
  }
}

const naan = fc.stringMatching(/^[0-9bcdfghjkmnpqrstvwxz]{1,16}$/);
/** Near-valid names: the grammar's characters with many structural ones, hyphens and encoded bytes. */
const messyName = fc
  .array(
    fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9=~*+@_$]$/),
      fc.constantFrom("/", ".", "-", "//", "./", "\u2010", "\uff0d", "%2f", "%2D", "%c3%A9", "b", "7"),
    ),
    { minLength: 1, maxLength: 60 },
  )
  .map((pieces) => pieces.join(""));
const betanumerics = (min: number, max: number) =>
  fc.array(fc.constantFrom(...BETANUMERICS), { minLength: min, maxLength: max }).map((all) => all.join(""));

describe("normal form", () => {
  test.each(vectors("ark-normal-form.txt").map(([text, key]) => [JSON.stringify(text), key, text]))(
    "A1 A2 A3 %s is %s",
    (_, key, text) => {
      expect(keyOrCode(() => parseArk(String(text)))).toBe(String(key));
    },
  );

  test.each(vectors("ark-invalid.txt").map(([text, code]) => [JSON.stringify(text).slice(0, 60), text, code]))(
    "A3 %s is not an ARK",
    (_, text, code) => {
      expect(keyOrCode(() => parseArk(String(text)))).toBe(String(code));
    },
  );

  test("A3 a name may have 255 bytes after normalisation, and a longer one is refused with its length", () => {
    const long = "x".repeat(255);
    expect(parseArk(`ark:12345/${long}---`).name).toBe(long);
    expect(() => parseArk(`ark:12345/${long}x`)).toThrow(new ServiceError(1004));
    try {
      parseArk(`ark:12345/${long}x`);
    } catch (error) {
      expect((error as ServiceError).detail).toEqual({ length: 256, limit: 255 });
    }
  });

  test("A1 hex digits become upper case before hyphens go", () => {
    expect(normalizeName("x6%-2f")).toBe("x6%2f");
  });

  test("A1 hyphens go before runs are searched for, so that no run is left", () => {
    expect(normalizeName("a/-.-/b")).toBe("a/b");
    expect(normalizeName("-/a/-")).toBe("a");
  });

  test("A1 the normal form of an accepted text is its own normal form", () => {
    fc.assert(
      fc.property(naan, messyName, (prefix, name) => {
        const first = arkOf(prefix, name);
        fc.pre(first !== null);
        expect(parseArk(formatArk(first))).toEqual(first);
        expect(normalizeName(first.name)).toBe(first.name);
        expect(arkOfKey(first.key)).toEqual(first);
      }),
      { numRuns: 2000 },
    );
  });

  test("A1 A2 label, hyphens, slashes at the end, host and query make no difference; case of a letter does", () => {
    fc.assert(
      fc.property(naan, messyName, (prefix, name) => {
        const ark = arkOf(prefix, name);
        fc.pre(ark !== null);
        const spellings = [
          `ARK:/${prefix.toUpperCase()}/${name}`,
          `https://host.example/a/ark:${prefix}/${name}?info`,
          `${prefix}/${ark.name.replace(/%..|./g, "$&-\u2010")}`,
          `ark:-${prefix}-/-${name}-`,
          `ark:${prefix}/${name}/.`,
        ];
        for (const spelling of spellings) expect(parseArk(spelling).key).toBe(ark.key);
      }),
      { numRuns: 500 },
    );
    expect(parseArk("12345/x6").key).not.toBe(parseArk("12345/X6").key);
  });

  test("A3 whatever is sent, the answer is a key in normal form or a refusal with 1001 or 1004", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.string({ unit: "binary", maxLength: 20 }).map((tail) => `ark:12345/x${tail}`),
      messyName.map((name) => `ark:/${name}`),
    );
    fc.assert(
      fc.property(text, (received) => {
        const answer = keyOrCode(() => parseArk(received));
        if (answer === "1001" || answer === "1004") return;
        expect(answer).toMatch(/^[0-9bcdfghjkmnpqrstvwxz]{1,16}\/(?:[A-Za-z0-9=~*+@_$./]|%[0-9A-F]{2})+$/);
        expect(answer).not.toMatch(/[/.][/.]|[/.]$/);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("check character", () => {
  test.each(vectors("check-characters.txt"))("A4 %s has the check character %s", (zone, check) => {
    expect(checkCharacter(String(zone))).toBe(String(check));
    expect(hasCheckCharacter(`${zone}${check}`)).toBe(true);
  });

  test("A4 every single wrong betanumeric is found", () => {
    fc.assert(
      fc.property(
        betanumerics(5, 5),
        betanumerics(4, 20),
        fc.nat(),
        fc.constantFrom(...BETANUMERICS),
        (naanText, name, at, wrong) => {
          const { key } = mintedArk(naanText, "", name);
          const place = at % key.length;
          fc.pre(key[place] !== wrong && key[place] !== "/");
          expect(hasCheckCharacter(key.slice(0, place) + wrong + key.slice(place + 1))).toBe(false);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("A4 every swap of two neighbours is found", () => {
    fc.assert(
      fc.property(betanumerics(5, 5), betanumerics(4, 20), fc.nat(), (naanText, name, at) => {
        const { key } = mintedArk(naanText, "", name);
        const place = at % (key.length - 1);
        const [left, right] = [key.charAt(place), key.charAt(place + 1)];
        // "/" and "0" both count 0: that one exchange cannot be seen.
        fc.pre(left !== right && !/^(?:\/0|0\/)$/.test(left + right));
        expect(hasCheckCharacter(key.slice(0, place) + right + left + key.slice(place + 2))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test("A4 too short a text has none", () => {
    expect(hasCheckCharacter("")).toBe(false);
    expect(hasCheckCharacter("0")).toBe(false);
  });
});

describe("qualifiers", () => {
  test.each(
    vectors("qualifiers.txt").map(([base, qualifier, answer]) => [
      `${base} + ${qualifier}`.slice(0, 60),
      base,
      qualifier,
      answer,
    ]),
  )("A7 L17 %s", (_, base, qualifier, answer) => {
    expect(keyOrCode(() => qualify(parseArk(String(base)), String(qualifier)))).toBe(String(answer));
  });

  test("A7 a part lies below its base, and the base is among the names above it", () => {
    fc.assert(
      fc.property(messyName, fc.constantFrom("/", "."), messyName, (baseName, separator, rest) => {
        const base = arkOf("12345", baseName);
        fc.pre(base !== null);
        const answer = keyOrCode(() => qualify(base, separator + rest));
        fc.pre(answer.length > 4);
        expect(answer.startsWith(`${base.key}/`) || answer.startsWith(`${base.key}.`)).toBe(true);
        expect(ancestorKeys(answer)).toContain(base.key);
        expect(parseArk(answer).key).toBe(answer);
      }),
      { numRuns: 1000 },
    );
  });

  test("A11 A31 the names above one, nearest first, cut at slash and dot, never at the NAAN", () => {
    expect(ancestorKeys("12345/x6/a.b/c")).toEqual(["12345/x6/a.b", "12345/x6/a", "12345/x6"]);
    expect(ancestorKeys("12345/x6")).toEqual([]);
    expect(baseKey("12345/x6/a.b")).toBe("12345/x6");
    expect(baseKey("12345/x6.a")).toBe("12345/x6");
    expect(baseKey("12345/x6")).toBe("12345/x6");
  });
});

describe("shoulders", () => {
  test.each(vectors("shoulders.txt"))("A6 %s is read", (text, naanText, shoulder) => {
    expect(readShoulder(String(text))).toEqual({
      naan: naanText === "" ? null : String(naanText),
      shoulder: String(shoulder),
    });
  });

  test("A6 a NAAN that is none is not read as one", () => {
    expect(readShoulder("no naan/b1")).toBeNull();
    expect(readShoulder("00000000000000000/b1")).toBeNull();
  });

  test("A6 consonants ending in the first digit", () => {
    for (const good of ["x5", "b1", "fk4", "z9"]) expect(isShoulder(good)).toBe(true);
    for (const bad of ["", "5", "b", "b12", "1b", "a1", "l1", "y1", "B1", "b1x", "b-1", "b1/", `${"b".repeat(32)}1`]) {
      expect(isShoulder(bad)).toBe(false);
    }
  });

  test("A6 an import-only shoulder is any string of name characters, also empty", () => {
    for (const good of ["", "qt", "metadc", "s6.caida", "dsp01", "%2F", "a/b"])
      expect(isImportOnlyShoulder(good)).toBe(true);
    for (const bad of ["a-b", "a b", "%2", "%2f", "é", ":"]) expect(isImportOnlyShoulder(bad)).toBe(false);
  });

  test("A6 a name is under the longest shoulder it begins with; the empty one takes the rest", () => {
    const shoulders = ["", "b1", "b1x", "qt"].map((shoulder) => ({ shoulder }));
    expect(shoulderOfName("b1xyz", shoulders)?.shoulder).toBe("b1x");
    expect(shoulderOfName("b1abc", shoulders)?.shoulder).toBe("b1");
    expect(shoulderOfName("zzz", shoulders)?.shoulder).toBe("");
    expect(shoulderOfName("zzz", shoulders.slice(1))).toBeNull();
  });
});
