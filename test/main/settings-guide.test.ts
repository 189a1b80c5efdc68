// The guide that `arkstone settings --guide` prints has every setting.
import { expect, test } from "bun:test";
import { SETTINGS } from "../../src/config.ts";
import { settingsGuide } from "../../src/main/openapi/settings-guide.ts";

test("the guide has every setting once, with its default and meaning", () => {
  const guide = settingsGuide();
  for (const { name, fallback, meaning } of Object.values(SETTINGS)) {
    const rows = guide.split("\n").filter((line) => line.startsWith(`| \`${name}\` |`));
    expect(`${name} ${rows.length}`).toBe(`${name} 1`);
    expect(rows[0]).toContain(fallback === "" ? "(empty)" : `\`${fallback}\``);
    expect(rows[0]).toContain(meaning.replaceAll("|", "\\|"));
  }
  expect(guide).not.toContain("## More");
});
