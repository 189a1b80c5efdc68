// docs/configure.md is made from the table of settings, and is current.
import { expect, test } from "bun:test";
import { SETTINGS } from "../../src/config.ts";
import { configureGuide, isConfigureGuideCurrent } from "../../src/main/configure.ts";

test("docs/configure.md is what the table of settings says; if not, run: bun run configure", () => {
  expect(isConfigureGuideCurrent()).toBe(true);
});

test("every setting stands in it once, with its default and meaning", () => {
  const guide = configureGuide();
  for (const { name, fallback, meaning } of Object.values(SETTINGS)) {
    const rows = guide.split("\n").filter((line) => line.startsWith(`| \`${name}\` |`));
    expect(`${name} ${rows.length}`).toBe(`${name} 1`);
    expect(rows[0]).toContain(fallback === "" ? "(empty)" : `\`${fallback}\``);
    expect(rows[0]).toContain(meaning.replaceAll("|", "\\|"));
  }
  expect(guide).not.toContain("## More");
});
