// `arkstone author-scheme` and `arkstone author-language`: the schemes and languages that an author may have (R21).

import { FORM_NAMES } from "../../../model/metadata/identifier-forms.ts";
import { withoutUndefined } from "../../../shared/objects.ts";
import { jsonLine } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import { listCommand, showRecord, showRecords } from "./records.ts";
import { OPERATOR, type RepositoryServices, withRepository } from "./repository-context.ts";

const OF = { institution: { type: "boolean", help: "Of institutions, not of persons" } } as const;

const schemes = ({ admin }: RepositoryServices, isInstitution: boolean | undefined) =>
  isInstitution === true ? admin.institutionSchemes : admin.authorSchemes;

const list = command({
  name: "author-scheme list",
  summary: "List the schemes that identifiers of authors may have",
  options: OF,
  examples: ["arkstone author-scheme list", "arkstone author-scheme list --institution"],
  run: (context, { institution }) =>
    withRepository(context, async (services) => {
      showRecords(context, await schemes(services, institution).list(), ["id", "url", "form"], "No scheme");
    }),
});

const set = command({
  name: "author-scheme set",
  summary: "Add a scheme, or change one",
  words: ["SCHEME"],
  options: {
    ...OF,
    url: { type: "string", value: "URL", help: "Where an identifier is found, with ## in its place" },
    form: {
      type: "string",
      value: "FORM",
      help: `What identifiers must look like: ${FORM_NAMES.join(", ")}`,
    },
  },
  examples: ["arkstone author-scheme set GND --url https://d-nb.info/gnd/##"],
  run: (context, { institution, url, form }, [scheme = ""]) =>
    withRepository(context, async (services) => {
      const sent = withoutUndefined({ url, form });
      showRecord(context, await schemes(services, institution).update(OPERATOR, scheme, sent));
    }),
});

const remove = command({
  name: "author-scheme remove",
  summary: "Remove a scheme that no author has an identifier of",
  words: ["SCHEME"],
  options: OF,
  examples: ["arkstone author-scheme remove kakenhi"],
  run: (context, { institution }, [scheme = ""]) =>
    withRepository(context, async (services) => {
      await schemes(services, institution).remove(OPERATOR, scheme);
      context.out(context.json ? jsonLine({ id: scheme, removed: true }) : `Removed ${scheme}.\n`);
    }),
});

const listLanguages = listCommand(
  "author-language list",
  "List the languages that names of authors may have",
  ({ admin }) => admin.authorLanguages.list(),
  ["id"],
  "No language",
);

const addLanguage = command({
  name: "author-language add",
  summary: "Add a language",
  words: ["LANGUAGE"],
  examples: ["arkstone author-language add ja-Latn"],
  run: (context, _given, [language = ""]) =>
    withRepository(context, async ({ admin }) => {
      showRecord(context, await admin.authorLanguages.update(OPERATOR, language, {}));
    }),
});

const removeLanguage = command({
  name: "author-language remove",
  summary: "Remove a language; names that have it stay",
  words: ["LANGUAGE"],
  examples: ["arkstone author-language remove eo"],
  run: (context, _given, [language = ""]) =>
    withRepository(context, async ({ admin }) => {
      await admin.authorLanguages.remove(OPERATOR, language);
      context.out(context.json ? jsonLine({ id: language, removed: true }) : `Removed ${language}.\n`);
    }),
});

export const authorSchemeCommands: readonly Command[] = [list, set, remove, listLanguages, addLanguage, removeLanguage];
