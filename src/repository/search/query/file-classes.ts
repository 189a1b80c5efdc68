// Who may read the words of a file, as classes (R35): each token of a file is in its document after the class of the
// file, and viewers search for a token after the classes whose files they may read. It is the rule of fileReading in
// src/model/access/visibility.ts.
import type { Viewer } from "../../../auth/account.ts";
import type { Access, ItemFile } from "../../../model/items/item.ts";
import { type Day, laterDay } from "../../../shared/time/day.ts";
import { RECORD_NUMBERS, RECORD_TEXTS } from "../detail/record-schema.ts";
import { FIELDS, type Key } from "../document/document.ts";
import { isReached, keyDay, privileging } from "../document/keys.ts";
import { CODE_SEPARATOR, FILE_CODES, RESTRICTED } from "../document/record-fields.ts";
import type { Condition } from "../index/index-port.ts";

// A class ends with `z`, which it has nowhere else: no class and token together are another class and token.
//   f<day>z            readers of the record, from this day
//   f<day>sz           who is signed in
//   f<day>g<group>z    who is signed in and in the group
//   pz                 the privileged: the words of all files that others do not read now, or not all of them
// A day that was reached when the document was made is 0.

/** Classes that more than the privileged read begin so. */
export const READER_PREFIX = "f";
const PRIVILEGED = "pz";
/** Groups of a file by which its words are found; in more than these, by the first. */
const GROUPS = 16;
/**
 * Classes at most in one question: those of days that were reached since documents were made are the most
 * of them.
 */
const CLASSES_ASKED = 64;

/** The classes of the words of a file. */
export function fileClasses(
  file: Pick<ItemFile, "access" | "accessDate" | "groups">,
  access: Access,
  today: Day,
): readonly Key[] {
  const classes = readers(file, access, today);
  const open = `${READER_PREFIX}0z`;
  return classes.length === 1 && classes[0] === open ? classes : [...classes, PRIVILEGED];
}

/** All who see what was never published are privileged. */
export const DRAFT_CLASSES: readonly Key[] = [PRIVILEGED];

/**
 * The day from which files are shown at all; null: never. During an embargo they are closed, whatever their own access;
 * then they are public.
 */
function filesDay({ files, embargoUntil }: Access): Day | null {
  if (embargoUntil !== null) return embargoUntil;
  return files === "public" ? "" : null;
}

function readers(
  { access, accessDate, groups }: Pick<ItemFile, "access" | "accessDate" | "groups">,
  item: Access,
  today: Day,
): readonly Key[] {
  const from = filesDay(item);
  if (from === null || access === "closed" || (access === "date" && accessDate === null)) return [];
  const day = keyDay(access === "date" ? laterDay(from, accessDate ?? from) : from, today);
  const start = `${READER_PREFIX}${day}`;
  if (access !== "login") return [`${start}z`];
  return groups.length === 0 ? [`${start}sz`] : [...new Set(groups)].slice(0, GROUPS).map((id) => `${start}g${id}z`);
}

const CLASS = /^f(\d+)(?:(s)|g(\d+))?z$/;

/** Of the classes an index has, those whose words this viewer may read on this day in every item they may see. */
export function readableClasses(viewer: Viewer, today: Day, known: readonly Key[]): readonly Key[] {
  const readable = known.filter((key) => {
    const [, day, signedIn, group] = CLASS.exec(key) ?? [];
    if (day === undefined || !isReached(day, today)) return false;
    if (signedIn === undefined && group === undefined) return true;
    return viewer.account !== null && (group === undefined || viewer.groups.includes(Number(group)));
  });
  // Shorter ones, which have no day, are those of most files.
  return readable.sort((a, b) => a.length - b.length || (a < b ? 1 : -1)).slice(0, CLASSES_ASKED);
}

/** A token or the beginning of one in the words of files that the viewer may read. */
function inReadableFiles(
  viewer: Viewer,
  classes: readonly Key[],
  written: (readersClass: Key) => Condition,
): Condition {
  const privileged = privileging(viewer);
  const hidden = written(PRIVILEGED);
  const mayAll: readonly Condition[] =
    privileged === null ? [hidden] : viewer.account === null ? [] : [{ kind: "and", of: [privileged, hidden] }];
  return { kind: "or", of: [...classes.map(written), ...mayAll] };
}

const FILE_NUMBERS: ReadonlyMap<string, string> = new Map([
  [RECORD_NUMBERS.files, RECORD_NUMBERS.restrictedFiles],
  [RECORD_NUMBERS.bytes, RECORD_NUMBERS.restrictedBytes],
]);
const FILE_MEMBERS = FILE_CODES.map((code) => `${code}${CODE_SEPARATOR}`);

/**
 * Names, types, sizes and counts of files: for restricted files other keys are searched for, where the viewer is
 * privileged; null: nothing of the kind.
 */
function ofRestrictedFiles(condition: Condition): Condition | null {
  switch (condition.kind) {
    case "token":
    case "prefix": {
      const written = condition.kind === "token" ? condition.token : condition.prefix;
      const isMember =
        condition.field === RECORD_TEXTS.members && FILE_MEMBERS.some((code) => written.startsWith(code));
      if (!isMember) return null;
      const restricted = `${RESTRICTED}${written}`;
      return condition.kind === "token" ? { ...condition, token: restricted } : { ...condition, prefix: restricted };
    }
    case "range": {
      const field = FILE_NUMBERS.get(condition.field);
      return field === undefined ? null : { ...condition, field };
    }
    default:
      return null;
  }
}

/** Whether what the question finds hangs on who asks: on words, names or numbers of files. */
export function looksIntoFiles(condition: Condition): boolean {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.of.some(looksIntoFiles);
    case "not":
      return looksIntoFiles(condition.of);
    case "key":
      return false;
    default:
      return condition.field === FIELDS.files || ofRestrictedFiles(condition) !== null;
  }
}

function orOfRestrictedFiles(condition: Condition, viewer: Viewer): Condition {
  const restricted = ofRestrictedFiles(condition);
  const privileged = privileging(viewer);
  if (restricted === null || (viewer.account === null && privileged !== null)) return condition;
  const asPrivileged: Condition = privileged === null ? restricted : { kind: "and", of: [privileged, restricted] };
  return { kind: "or", of: [condition, asPrivileged] };
}

/**
 * The same question with its conditions on files limited to what this viewer may know: compiled questions know no
 * viewer.
 */
export function withReaders(condition: Condition, viewer: Viewer, classes: readonly Key[]): Condition {
  switch (condition.kind) {
    case "and":
    case "or":
      return { kind: condition.kind, of: condition.of.map((each) => withReaders(each, viewer, classes)) };
    case "not":
      return { kind: "not", of: withReaders(condition.of, viewer, classes) };
    case "range":
      return orOfRestrictedFiles(condition, viewer);
    case "token":
      if (condition.field !== FIELDS.files) return orOfRestrictedFiles(condition, viewer);
      return inReadableFiles(viewer, classes, (readers) => ({ ...condition, token: `${readers}${condition.token}` }));
    case "prefix":
      if (condition.field !== FIELDS.files) return orOfRestrictedFiles(condition, viewer);
      return inReadableFiles(viewer, classes, (readers) => ({ ...condition, prefix: `${readers}${condition.prefix}` }));
    default:
      return condition;
  }
}
