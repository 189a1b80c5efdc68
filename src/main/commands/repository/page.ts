// `arkstone page`: static pages (Q.15).

import { type FieldError, sentRecord } from "../../../model/input/record-refusals.ts";
import { PAGE_BODY, pageJson, pageListJson, pagePath } from "../../../repository/administration/static-page-json.ts";
import { joinedUpTo } from "../../../shared/bytes/byte-streams.ts";
import { withoutUndefined } from "../../../shared/objects.ts";
import { isRefusal } from "../../../shared/refusal.ts";
import { jsonLine } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import type { Context } from "../context.ts";
import { openInput } from "../input-file.ts";
import { CommandRefusal } from "../refusals.ts";
import { listCommand, numberOrNone, showRecord } from "./records.ts";
import { OPERATOR, type RepositoryServices, withRepository } from "./repository-context.ts";

/** Bytes of a file that are read; what a page may have is less. */
const FILE_MAX_BYTES = 1024 * 1024;

async function textIn(context: Context, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const bytes = await joinedUpTo(openInput(context, path), FILE_MAX_BYTES);
  if (bytes === null) throw new CommandRefusal(`Cannot read ${path}: it has more than ${FILE_MAX_BYTES} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CommandRefusal(`Cannot read ${path}: it is not UTF-8`);
  }
}

const list = listCommand(
  "page list",
  "List the static pages",
  async ({ staticPages, addresses }) => pageListJson(await staticPages.list(), addresses.baseUrl).hits.hits,
  ["id", "url", "title", "title_ja", "footer", "revision_id", "updated"],
  "No page yet",
);

const get = command({
  name: "page get",
  summary: "Show a static page with its texts",
  words: ["SLUG"],
  examples: ["arkstone page get about"],
  run: (context, _given, [slug = ""]) =>
    withRepository(context, async ({ staticPages, addresses }) =>
      showRecord(context, pageJson(await staticPages.read(slug), addresses.baseUrl)),
    ),
});

/** The page as it is; empty where it was never written, or was deleted. */
async function pageNow({ staticPages, addresses }: RepositoryServices, slug: string) {
  try {
    const { title, title_ja, content, content_ja, footer } = pageJson(await staticPages.read(slug), addresses.baseUrl);
    return { title, title_ja, content, content_ja, footer };
  } catch (error) {
    if (isRefusal(error, "not_found")) return {};
    throw error;
  }
}

/** What is wrong with each member, which the interface lists next to its message. */
async function withFields<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isRefusal(error, "invalid") || !Array.isArray(error.detail.errors)) throw error;
    const errors: readonly FieldError[] = error.detail.errors;
    const lines = errors.map(({ field, messages }) => `${field}: ${messages.join(" ")}`);
    throw new CommandRefusal(`Cannot save the page: ${lines.join(" ")}`);
  }
}

const set = command({
  name: "page set",
  summary: "Write a static page",
  words: ["SLUG"],
  options: {
    en: { type: "string", value: "FILE", help: "Its text in English, a file of Markdown, - for standard input" },
    ja: { type: "string", value: "FILE", help: "Its text in Japanese" },
    "title-en": { type: "string", value: "TEXT", help: "Its title in English" },
    "title-ja": { type: "string", value: "TEXT", help: "Its title in Japanese" },
    footer: { type: "string", value: "PLACE", help: "Its place among the links of every page, none for none" },
    message: { type: "string", value: "TEXT", help: "Why it is changed" },
  },
  details: `SLUG is about, policy, contact or help (${pagePath("about")}), or another name of a to z, 0 to 9 and - (${pagePath("NAME")}). What is not given stays; each change is kept as a revision.`,
  examples: ['arkstone page set about --title-en "About us" --en about.md --title-ja 概要 --ja about-ja.md --footer 1'],
  run: (context, given, [slug = ""]) =>
    withRepository(context, async (services) => {
      const changed = withoutUndefined({
        title: given["title-en"],
        title_ja: given["title-ja"],
        content: await textIn(context, given.en),
        content_ja: await textIn(context, given.ja),
        footer: numberOrNone("footer", given.footer),
        message: given.message,
      });
      const { staticPages, addresses } = services;
      const sent = sentRecord(PAGE_BODY, { ...(await pageNow(services, slug)), ...changed });
      const saved = await withFields(staticPages.save(OPERATOR, slug, sent, null));
      showRecord(context, pageJson(saved, addresses.baseUrl));
    }),
});

const remove = command({
  name: "page remove",
  summary: "Delete a static page; its revisions are kept",
  words: ["SLUG"],
  examples: ["arkstone page remove about"],
  run: (context, _given, [slug = ""]) =>
    withRepository(context, async ({ staticPages }) => {
      await staticPages.remove(OPERATOR, slug, null);
      context.out(context.json ? jsonLine({ slug, deleted: true }) : `Deleted ${slug}.\n`);
    }),
});

export const pageCommands: readonly Command[] = [list, get, set, remove];
