// The settings of the deposit interface, declared once (R12, R14, R16, R17; specification 2, "Client setting record"):
// of a client and of a metadata format. The records of the administration, their description, rows and the options of
// `arkstone sword-client` and `sword-format` are put together from these tables.
import type { CommandOption, DeclaredField, ValuesOf } from "../../shared/declared.ts";
import { type Field, flag, idField, listOf, oneOf, orNull } from "../../shared/fields.ts";
import type { MetadataFormat } from "../files/described-package.ts";

const META_DATA_APIS = ["Crossref", "DataCite"] as const;
const apis: Field<readonly string[]> = listOf(oneOf(META_DATA_APIS), META_DATA_APIS.length);

const typed = (
  option: string,
  value: string,
  help: string,
  more: Pick<CommandOption, "words" | "none"> = {},
): CommandOption => ({
  option,
  value,
  help,
  ...more,
});

/** 1 direct registration, 2 workflow registration. */
type RegistrationType = 1 | 2;

/** Of a metadata format, where no client's record sets it. */
export const FORMAT_SETTING = {
  active: { field: flag, kept: "flag", start: true, typed: typed("active", "YES", "yes or no") },
  registrationType: {
    field: oneOf<RegistrationType>([1, 2]),
    kept: "number",
    sent: "registration_type_id",
    start: 1,
    typed: typed("registration", "HOW", "direct, or workflow", { words: { direct: 1, workflow: 2 } }),
  },
  workflow: {
    field: orNull(idField),
    kept: "number",
    sent: "workflow_id",
    start: null,
    typed: typed("workflow", "ID", "Workflow of registration by workflow; none: the first of the item type", {
      none: true,
    }),
  },
  duplicateCheck: {
    field: flag,
    kept: "flag",
    start: false,
    typed: typed("duplicate-check", "YES", "Refuse what looks like an item that is there already: yes or no"),
  },
} as const satisfies { readonly [name: string]: DeclaredField<unknown> };

export type FormatSetting = ValuesOf<typeof FORMAT_SETTING> & { readonly format: MetadataFormat };

const { active, registrationType, workflow, duplicateCheck } = FORMAT_SETTING;

/** Of a client. */
export const CLIENT_SETTING = {
  active,
  registrationType,
  mapping: {
    field: idField,
    kept: "number",
    sent: "mapping_id",
    typed: typed("mapping", "NAME", "Mapping definition of linked data, by name or number"),
  },
  workflow,
  duplicateCheck,
  metaDataApi: {
    field: apis,
    kept: "json",
    start: [],
    typed: typed("meta-data-api", "A,B", "Who completes metadata by DOI, in this order: Crossref, DataCite"),
  },
  defaultIndex: {
    field: orNull(idField),
    kept: "number",
    start: null,
    typed: typed("default-index", "ID", "Index of deposits that name none, none for none", { none: true }),
  },
  verifyDigest: {
    field: orNull(oneOf(["required", "when-sent", "off"])),
    kept: "text",
    start: null,
    typed: typed("verify-digest", "HOW", "required, when-sent, off, or none for SVC_SWORD_VERIFY_DIGEST", {
      none: true,
    }),
  },
  keepIncomplete: {
    field: flag,
    kept: "flag",
    start: false,
    typed: typed("keep-incomplete", "YES", "Keep the activity of a deposit that lacks required metadata: yes or no"),
  },
} as const satisfies { readonly [name: string]: DeclaredField<unknown> };

export type ClientSetting = ValuesOf<typeof CLIENT_SETTING> & { readonly clientId: string };
