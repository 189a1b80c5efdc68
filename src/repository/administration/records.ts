// What an administrator can set, record by record (R6a, R16, R17): names, limits, and what a new one starts with. Names
// are those of the interface (specification 2, "Client setting record").

import { Type } from "@sinclair/typebox";
import { ASSIGNABLE_ROLES, MEMBER_ROLES } from "../../auth/account.ts";
import { METADATA_FORMATS } from "../../model/files/described-package.ts";
import { CLIENT_SETTING, FORMAT_SETTING } from "../../model/items/deposit-settings.ts";
import { FORM_NAMES, type IdentifierForm } from "../../model/metadata/identifier-forms.ts";
import { WORKFLOW_ACTIONS, WORKFLOW_ACTIONS_MAX } from "../../model/rights/workflow-rules.ts";
import { fieldsOf } from "../../shared/declared.ts";
import {
  bilingual,
  flag,
  free,
  idField,
  listOf,
  object,
  oneOf,
  orNull,
  sequenceOf,
  text,
  textRecord,
  whole,
} from "../../shared/fields.ts";
import { BilingualShape, MomentShape, manyOf, UuidShape, wordOf } from "../../shared/shapes.ts";
import { SOURCE_MAX } from "../search/settings/source.ts";
import { PLAIN_COMMUNITY, REVIEW_POLICIES } from "../store/communities.ts";
import { recordKind } from "./collection.ts";

/** Longest e-mail address (RFC 5321, path without brackets). */
const MAIL_MAX = 254;
const EPPN_MAX = 320;
/** Longest name or title, in characters. */
const NAME_MAX = 200;
/** Longest title of a community, in characters, as the records interface has it. */
const COMMUNITY_TITLE_MAX = 250;
/** Members of one group or community. */
const MEMBERS_MAX = 10_000;
/** Accounts, or communities, that one workflow names as approvers. */
const APPROVERS_MAX = 1_000;

const name = text({ min: 1, max: NAME_MAX });
const MAIL = { pattern: /^[^\s@,;<>]+@[^\s@,;<>]+$/, words: "an e-mail address such as hanako@example.org" };
const SLUG = {
  pattern: /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/,
  words: 'a name of lower case letters, digits, "-" and "_" that begins and ends with a letter or digit',
};
const SCHEME_URL = {
  pattern: /^(?:https?:\/\/[^\s#]*##[^\s#]*)?$/,
  words: 'an http or https address with "##" where the identifier goes, such as "https://orcid.org/##"',
};

const NUMBER = { id: Type.Integer() };
const LIFE = { created_at: MomentShape, updated_at: MomentShape };

export const ACCOUNT = recordKind(
  "Account",
  {
    mail: orNull(text({ min: 3, max: MAIL_MAX, form: MAIL })),
    eppn: orNull(text({ min: 1, max: EPPN_MAX, form: { pattern: /^\S+$/, words: "a name without blanks" } })),
    name,
    roles: listOf(oneOf(ASSIGNABLE_ROLES), ASSIGNABLE_ROLES.length),
    active: flag,
  },
  { ...NUMBER, groups: Type.Optional(manyOf(Type.Integer())), ...LIFE },
);
export const NEW_ACCOUNT = { mail: null, eppn: null, roles: [], active: true };

export const GROUP = recordKind("Group", { name, members: listOf(idField, MEMBERS_MAX) }, NUMBER);
export const NEW_GROUP = { members: [] };

export const COMMUNITY = recordKind(
  "CommunityRecord",
  {
    slug: text({ min: 1, max: 100, form: SLUG }),
    title: bilingual(COMMUNITY_TITLE_MAX),
    type: text({ max: 100 }),
    visibility: oneOf(["public", "restricted"]),
    review_policy: oneOf(REVIEW_POLICIES),
    root_index: orNull(idField),
    members: listOf(object({ account: idField, role: oneOf(MEMBER_ROLES) }), MEMBERS_MAX),
  },
  { id: UuidShape, ...LIFE },
);
/** The same as where communities are made over HTTP and by the tools: submissions wait for a review. */
export const NEW_COMMUNITY = {
  type: "",
  visibility: PLAIN_COMMUNITY.visibility,
  review_policy: PLAIN_COMMUNITY.reviewPolicy,
  root_index: PLAIN_COMMUNITY.rootIndex,
  members: [],
};

/** Schemes, or languages, of one list. */
export const AUTHOR_CHOICES_MAX = 200;
/** Also the name under which identifiers are kept: short, of one line, without a colon. */
export const authorChoiceId = text({
  min: 1,
  max: 100,
  form: { pattern: /^[^\s:]+$/, words: "an id without blanks or colons" },
});
const SCHEME_FIELDS = { url: text({ max: 500, form: SCHEME_URL }), form: oneOf(FORM_NAMES) };
export const AUTHOR_SCHEME = recordKind("AuthorScheme", SCHEME_FIELDS, { id: Type.String() });
export const INSTITUTION_SCHEME = recordKind("InstitutionScheme", SCHEME_FIELDS, { id: Type.String() });
export const AUTHOR_LANGUAGE = recordKind("AuthorLanguage", {}, { id: Type.String() });
export const NEW_AUTHOR_SCHEME: { readonly url: string; readonly form: IdentifierForm } = { url: "", form: "any" };

/** How a list shows an item type. */
const TYPE_NAMED = { ...NUMBER, version: Type.Integer(), name: BilingualShape };
export const LISTED_ITEM_TYPE = Type.Object({ ...TYPE_NAMED, deleted: Type.Boolean() });
export const ITEM_TYPE = recordKind(
  "ItemType",
  { definition: free, deleted: flag },
  { ...TYPE_NAMED, items: Type.Optional(Type.Integer({ description: "Items of the type" })) },
);
export const NEW_ITEM_TYPE = { deleted: false };

export const LISTED_CRATE_MAPPING = Type.Object({ ...TYPE_NAMED, mapped: Type.Boolean() });
export const CRATE_MAPPING = recordKind("CrateMapping", { mapping: free }, TYPE_NAMED);

const KINDS_OF_MAPPING = ["sword", "ro-crate"] as const;
export const LISTED_MAPPING = Type.Object({
  ...NUMBER,
  name: Type.String(),
  kind: wordOf(KINDS_OF_MAPPING),
  item_type: Type.Integer(),
  deleted: Type.Boolean(),
});
export const MAPPING = recordKind(
  "Mapping",
  { name, kind: oneOf(KINDS_OF_MAPPING), item_type: idField, definition: free, deleted: flag },
  NUMBER,
);
export const NEW_MAPPING = { deleted: false };

/** A list, not a set: an action may occur more than once. */
const actions = sequenceOf(oneOf(WORKFLOW_ACTIONS), WORKFLOW_ACTIONS_MAX);
export const WORKFLOW = recordKind(
  "Workflow",
  {
    name: bilingual(NAME_MAX),
    item_type: idField,
    index: orNull(idField),
    actions,
    approvers: object({
      roles: listOf(oneOf(ASSIGNABLE_ROLES), ASSIGNABLE_ROLES.length),
      accounts: listOf(idField, APPROVERS_MAX),
      communities: listOf(text({ min: 1, max: 100 }), APPROVERS_MAX),
    }),
    delete: orNull(object({ actions })),
    deleted: flag,
  },
  NUMBER,
);
export const NEW_WORKFLOW = {
  index: null,
  approvers: { roles: [1, 2], accounts: [], communities: [] },
  delete: null,
  deleted: false,
};

export const SWORD_FORMAT = recordKind("SwordFormat", fieldsOf(FORMAT_SETTING), { format: wordOf(METADATA_FORMATS) });
/** `account` may be sent, as older versions of the interface returned it. */
export const SWORD_CLIENT = recordKind("SwordClient", fieldsOf(CLIENT_SETTING), {
  client_id: Type.String(),
  account: Type.Optional(Type.Integer()),
});

/** Formats by what they are called in addresses and on the command line. */
export const FORMAT_IDS = { "tsv-csv": "TSV/CSV", xml: "XML", json: "JSON" } as const satisfies Record<
  string,
  (typeof METADATA_FORMATS)[number]
>;

export const VOCABULARY_ENTRY = recordKind(
  "VocabularyRecord",
  { title: bilingual(1_000), props: textRecord({ entries: 50, max: 2_000 }) },
  { type: Type.String(), id: Type.String() },
);
export const NEW_VOCABULARY_ENTRY = { props: {} };
/** Ids of vocabularies and of their entries. */
export const vocabularyType = text({
  min: 1,
  max: 50,
  form: {
    pattern: /^[a-z][a-z0-9-]*$/,
    words: "a name of lower case letters, digits and hyphens that begins with a letter",
  },
});
const vocabularyId = text({
  min: 1,
  max: 200,
  form: { pattern: /^[^\s/?#]+$/, words: 'an id without blanks, "/", "?" or "#"' },
});
/** Subjects are called by whole addresses. */
const addressId = text({
  min: 1,
  max: 200,
  form: { pattern: /^[^\s\p{Cc}]+$/u, words: "an id without blanks" },
});
export const vocabularyIdOf = (type: string) => (type === "subjects" ? addressId : vocabularyId);
/** Entries of one vocabulary. */
export const VOCABULARY_MAX = 20_000;
/** Of one that is loaded from a public dump: there are about 120,000 organisations. */
export const VOCABULARY_LOADED_MAX = 1_000_000;

/** Facet items of a repository: each is counted over every search. */
export const FACETS_MAX = 50;
/** Sources that one facet, field or choice joins. */
const SOURCES_MAX = 20;
/** Choices of one list. */
const CHOICES_MAX = 1_000;
/** Values that one choice means. */
const MEANINGS_MAX = 100;

const sources = listOf(text({ min: 1, max: SOURCE_MAX }), SOURCES_MAX);
export const FACET = recordKind(
  "FacetItem",
  {
    name: bilingual(NAME_MAX),
    sources,
    active: flag,
    display: oneOf(["select", "checkboxes"]),
    shown: whole(1, 100),
    open: flag,
    position: whole(1, FACETS_MAX),
  },
  NUMBER,
);
export const NEW_FACET = { active: true, display: "checkboxes", shown: 5, open: true, position: FACETS_MAX };

const choices = sequenceOf(
  object({
    value: text({ min: 1, max: NAME_MAX }),
    label: bilingual(NAME_MAX),
    means: orNull(listOf(text({ min: 1, max: SOURCE_MAX }), MEANINGS_MAX)),
  }),
  CHOICES_MAX,
);
const FIELD = { id: Type.String(), kind: Type.String() };
export const FREE_FIELD = recordKind("FreeField", { sources }, FIELD);
export const CHOICE_LIST = recordKind("ChoiceList", { choices }, FIELD);
/** A free field, or a list of choices. */
export const SEARCH_FIELD = {
  shape: Type.Union([FREE_FIELD.shape, CHOICE_LIST.shape]),
  body: { ...FREE_FIELD.body, schema: Type.Union([FREE_FIELD.body.schema, CHOICE_LIST.body.schema]) },
};
