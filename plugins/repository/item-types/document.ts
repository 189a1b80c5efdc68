// How the forms of item types describe themselves in the interface description (R4, R32): kept apart from the route.
import { Type } from "@sinclair/typebox";
import { operation, pathParameter, RETRY_AFTER, response } from "../../http/document-parts.ts";

const text = Type.Optional(Type.String());
const labels = Type.Optional(Type.Object({ en: Type.String(), ja: Type.String() }));
const ElementOut = Type.Object(
  {
    key: Type.Optional(
      Type.String({ description: "Property path: nested with dots, parts that repeat end in `[]`; none on markup" }),
    ),
    type: Type.Optional(
      Type.String({
        enum: ["text", "textarea", "select", "radios", "template", "fieldset", "button"],
        description: "None on groups that repeat",
      }),
    ),
    title: Type.String(),
    title_i18n: labels,
    title_i18n_temp: labels,
    titleMap: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), value: Type.String(), name_i18n: labels }), {
        description: "Choices",
      }),
    ),
    items: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), { description: "Elements of the same shape" }),
    ),
    add: Type.Optional(Type.String({ description: "Label of the button that adds another of a group that repeats" })),
    style: Type.Optional(Type.Union([Type.String(), Type.Object({ add: Type.String() })])),
    required: Type.Optional(Type.Boolean()),
    readonly: Type.Optional(Type.Boolean()),
    format: Type.Optional(Type.String({ description: "Of dates: `yyyy-MM-dd`" })),
    templateUrl: text,
    template: text,
    onChange: text,
    onClick: text,
    icon: text,
    fieldHtmlClass: text,
    condition: Type.Optional(
      Type.Union([Type.Integer(), Type.String()], { description: "When it is shown; 1: filled by the repository" }),
    ),
    notitle: Type.Optional(Type.Boolean()),
    feedback: Type.Optional(Type.Boolean()),
    disableSuccessState: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
const ErrorOut = Type.Object({
  code: Type.Integer({ description: "HTTP status" }),
  message: Type.String(),
  status: Type.Integer({ description: "The same as code" }),
});

const ETAG = { ETag: { description: "Changes with the version of the item type", schema: { type: "string" } } };

export const SCHEMAFORM_DETAIL = {
  ...operation({
    id: "readSchemaform",
    tag: "Forms",
    summary: "The input form of an item type",
    description: "Its form elements in order, with labels in English and Japanese. Guests may read it.",
    parameters: [pathParameter("item_type_id", "Number of the item type", { example: 1 })],
    responses: {
      200: response("The form elements", Type.Array(ElementOut), ETAG),
      304: response("The form matches the ETag sent", null, ETAG),
      404: response("The item type does not exist, or it was retired", ErrorOut),
      429: response("Too many requests", ErrorOut, RETRY_AFTER),
      500: response("Internal error", ErrorOut),
      503: response("The database does not answer", ErrorOut, RETRY_AFTER),
    },
  }),
  security: [],
};
