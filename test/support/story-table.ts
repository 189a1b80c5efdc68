// Stories in Chromium, each in two settings: presses are counted for each person, and are those
// of the table in docs/walk.md.
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Setting } from "./story.ts";

export const NARROW_SCRIPT: Setting = { lang: "ja", width: 360, hasScript: true };
export const WIDE_PLAIN: Setting = { lang: "en", width: 1280, hasScript: false };
export const WIDE_SCRIPT: Setting = { lang: "en", width: 1280, hasScript: true };
export const NARROW_PLAIN: Setting = { lang: "ja", width: 360, hasScript: false };

/** Presses by person. */
export type Clicks = Readonly<Record<string, number>>;
export type Story = {
  readonly name: string;
  readonly clicks: Clicks;
  readonly settings: readonly Setting[];
  readonly run: (setting: Setting) => Promise<Clicks>;
};

const inWords = (clicks: Clicks): string =>
  Object.entries(clicks)
    .map(([who, count]) => `${who} ${count}`)
    .join(", ");

/** `close`: ends the visitors of one story. */
export function storyTable(stories: readonly Story[], close: () => Promise<void>) {
  const seconds = new Map<string, string[]>();
  const guide = readFileSync(join(import.meta.dirname, "../../docs/walk.md"), "utf8");
  return {
    /** Runs a story in one setting. */
    async check({ name, clicks, run }: Story, setting: Setting): Promise<void> {
      const begun = performance.now();
      try {
        expect(await run(setting)).toEqual(clicks);
      } finally {
        await close();
      }
      seconds.set(name, [...(seconds.get(name) ?? []), ((performance.now() - begun) / 1000).toFixed(1)]);
      expect(guide).toContain(`\n| ${name} | ${inWords(clicks)} |`);
    },
    /** The rows as the guide has them, with the seconds of this run. */
    print(): void {
      for (const { name, clicks } of stories)
        console.log(`| ${name} | ${inWords(clicks)} | ${(seconds.get(name) ?? []).join("; ")} |`);
    },
  };
}
