// Who may have one file (R2d, R37): everybody, everybody from a day on, people who are signed in (or members of
// groups), nobody but the privileged. The rule of the record holds as well.
import { Type } from "@sinclair/typebox";
import { oneError } from "../../model/input/record-refusals.ts";
import { FILE_ACCESS, type FileAccess, type ItemFile } from "../../model/items/item.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import { type Field, object, oneOf, optional, orNull, sequenceOf, whole, withSentence } from "../../shared/fields.ts";
import { most } from "../../shared/limits.ts";
import { isObject } from "../../shared/objects.ts";
import { manyOf, wordOf } from "../../shared/shapes.ts";
import { type Day, isDay } from "../../shared/time/day.ts";
import type { RepositoryReader } from "../store/store.ts";

export type FileRule = Pick<ItemFile, "access" | "accessDate" | "groups">;

export const OPEN_FILE: FileRule = { access: "open", accessDate: null, groups: [] };

const SENTENCES = {
  status: `Must be one of: ${FILE_ACCESS.join(", ")}.`,
  until: "Not a valid day: write YYYY-MM-DD.",
  noUntil: 'A day is set with the status "date" only.',
  noGroups: 'Groups are set with the status "login" only.',
  groups: "Not a valid list of numbers of groups.",
} as const;

const DAY: Field<Day> = {
  schema: Type.Unsafe<Day>({ type: "string", format: "date" }),
  read(value, path) {
    if (typeof value !== "string" || !isDay(value)) throw faultSentence(path, SENTENCES.until);
    // It was just seen to be one.
    return value as Day;
  },
};

const MEMBERS = object(
  {
    status: withSentence(oneOf(FILE_ACCESS), SENTENCES.status),
    until: optional(orNull(DAY)),
    groups: optional(orNull(withSentence(sequenceOf(whole(1), most("fileGroups")), SENTENCES.groups))),
  },
  { others: "ignored", $id: "FileAccessRule" },
);

/** The member `access` of a file that is sent; null where it sets nothing, as in an answer of an older client. */
export const FILE_RULE: Field<FileRule | null> = {
  schema: MEMBERS.schema,
  read(value, path) {
    if (isObject(value) && !("status" in value)) return null;
    const { status, until = null, groups } = MEMBERS.read(value, path);
    if (status === "date" && until === null) throw faultSentence(`${path}.until`, SENTENCES.until);
    if (status !== "date" && until !== null) throw faultSentence(`${path}.until`, SENTENCES.noUntil);
    const own = [...new Set(groups ?? [])];
    if (status !== "login" && own.length > 0) throw faultSentence(`${path}.groups`, SENTENCES.noGroups);
    return { access: status, accessDate: until, groups: own };
  },
};

/** The rule of a file that another one replaces: what is closed stays closed. */
export const ruleOfFile = (file: FileRule | undefined): FileRule | undefined =>
  file === undefined ? undefined : { access: file.access, accessDate: file.accessDate, groups: file.groups };

/** @throws Refusal naming the field, for groups that do not exist */
export async function requireGroups(
  reader: Pick<RepositoryReader, "accounts">,
  rules: readonly (FileRule | null)[],
  field: string,
): Promise<void> {
  const named = new Set(rules.flatMap((rule) => rule?.groups ?? []));
  if (named.size === 0) return;
  const known = new Set((await reader.accounts.groups()).map(({ id }) => id));
  const unknown = [...named].filter((id) => !known.has(id)).slice(0, 10);
  if (unknown.length > 0) throw oneError(field, `There is no group ${unknown.join(", ")}.`);
}

export const FileAccessShape = Type.Object(
  {
    hidden: Type.Boolean(),
    status: Type.Unsafe<FileAccess>({
      ...wordOf(FILE_ACCESS),
      description:
        "open: all who may read the record; date: from a day on; login: people who are signed in, or members of groups; closed: nobody but those who look after the record",
    }),
    until: Type.Optional(Type.String({ format: "date", description: "With `date`: the day on which it opens" })),
    groups: Type.Optional(manyOf(Type.Integer({ description: "With `login`: number of a group; of drafts only" }))),
  },
  { $id: "FileAccess" },
);

export const fileAccessJson = ({ access, accessDate, groups }: FileRule, isDraft: boolean) => ({
  ...{ hidden: false, status: access },
  ...(accessDate === null ? {} : { until: accessDate as string }),
  ...(isDraft && groups.length > 0 ? { groups: [...groups] } : {}),
});
