// How the author database describes itself in the interface description (R20 to R22, R32): kept apart from the routes.
import { type TSchema, Type } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import type { RepositoryScope } from "../../../src/auth/account.ts";
import {
  pathParameter,
  queryParameter,
  type OperationIn as RouteIn,
  refusals,
  response,
  operation as route,
} from "../../http/document-parts.ts";

const text = (description?: string) => Type.Optional(Type.String(description === undefined ? {} : { description }));
const flag = Type.Optional(
  Type.Boolean({ default: true, description: 'The strings "true" and "false" are taken, too' }),
);
const listOf = (members: Readonly<Record<string, TSchema>>) => Type.Optional(Type.Array(Type.Object(members)));
const day = text("YYYY-MM-DD");

const affiliation = {
  identifierInfo: listOf({
    affiliationIdType: text("A scheme of institutions, with affiliationId"),
    affiliationId: text(),
    identifierShowFlg: flag,
  }),
  affiliationNameInfo: listOf({
    affiliationName: text("With affiliationNameLang"),
    affiliationNameLang: text(),
    affiliationNameShowFlg: flag,
  }),
  affiliationPeriodInfo: listOf({ periodStart: day, periodEnd: day }),
};
const author = {
  emailInfo: listOf({ email: text() }),
  authorIdInfo: listOf({
    idType: text("A scheme of authors, with authorId; LOCAL is the repository's own numbering"),
    authorId: text(),
    authorIdShowFlg: flag,
  }),
  authorNameInfo: listOf({
    language: text("Needed with firstName or familyName"),
    firstName: text(),
    familyName: text(),
    nameFormat: text("familyNmAndNm"),
    nameShowFlg: flag,
  }),
  affiliationInfo: listOf(affiliation),
  communityIds: Type.Optional(Type.Array(Type.String({ description: "Community that manages the author" }))),
};
const AuthorIn = Type.Object(author);
const AuthorOut = Type.Object({ id: Type.Integer(), uuid: Type.String({ format: "uuid" }), ...author });
const WrittenOut = Type.Object({ message: Type.String(), author: AuthorOut });

const ErrorOut = Type.Object({
  code: Type.Integer({ description: "HTTP status" }),
  status: Type.Integer({ description: "The same as code" }),
  message: Type.String(),
  errors: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }))),
});
const COMMON = refusals(ErrorOut, {
  400: "Something sent is wrong; unknown version",
  403: "Role, token scope or community does not permit this",
});
const MISSING = { 404: response("The author does not exist or was deleted", ErrorOut) };
const WITH_BODY = {
  408: response("The body came too slowly", ErrorOut),
  413: response("The body is too large", ErrorOut),
};

const VERSION = pathParameter("version", "Version of the interface", { example: "v1" });
const IDENTIFIER = pathParameter("identifier", "Number or UUID of the author", { example: "1" });
const asked = (name: string, description: string) => queryParameter(name, description, { type: "string" });

type OperationIn = Omit<RouteIn, "tag"> & { readonly scope: RepositoryScope };

function operation(of: OperationIn): DocumentDecoration & { readonly "x-scopes": readonly RepositoryScope[] } {
  const description = `${of.description}\n\nScope: \`${of.scope}\`. For administrators of the repository or of a community.`;
  return {
    ...route({ ...of, tag: "Authors", description, responses: { ...COMMON, ...of.responses } }),
    "x-scopes": [of.scope],
  };
}

export const SEARCH_DETAIL = operation({
  id: "searchAuthors",
  summary: "Search authors",
  description:
    "All conditions must match. Case, width, accents and blanks of names are ignored; a name that ends with `*` matches by its beginning.",
  scope: "author:search",
  parameters: [
    VERSION,
    asked("fullname", "Given and family name in either order, or one of them"),
    asked("firstname", "Given name"),
    asked("familyname", "Family name"),
    asked("idtype", "Scheme of an identifier, with authorid"),
    asked("authorid", "Identifier in that scheme, with idtype"),
    asked("communityid", "Community that manages the author"),
    queryParameter("page", "From 1", { type: "integer" }),
    queryParameter("size", "Authors of a page: 1 to 1000, 100 where it is left out", { type: "integer" }),
  ],
  responses: { 200: response("The authors by number, also none", Type.Object({ authors: Type.Array(AuthorOut) })) },
});

export const CREATE_DETAIL = operation({
  id: "createAuthor",
  summary: "Create an author",
  description:
    "The repository assigns the number of the scheme LOCAL, whatever is sent. Administrators of a community name one of theirs.",
  scope: "author:create",
  parameters: [VERSION],
  body: Type.Object({ author: AuthorIn }),
  responses: { ...WITH_BODY, 200: response("The author as it is stored", WrittenOut) },
});

export const UPDATE_DETAIL = operation({
  id: "updateAuthor",
  summary: "Replace an author",
  description:
    "What is not sent is deleted. At least one identifier of the scheme LOCAL must be sent. The change is carried to the items in which the " +
    "author is linked; names only with `force_change`.",
  scope: "author:update",
  parameters: [VERSION, IDENTIFIER],
  body: Type.Object({ force_change: Type.Optional(Type.Boolean({ default: false })), author: AuthorIn }),
  responses: { ...WITH_BODY, ...MISSING, 200: response("The author as it is now", WrittenOut) },
});

export const MERGE_DETAIL = operation({
  id: "mergeAuthor",
  summary: "Take an author in with another",
  description:
    "Both are one person. The items follow. The author who stays gets identifiers of schemes in which they had none. Number, UUID and numbers " +
    "of the scheme LOCAL of the merged author always lead to the author who stays.",
  scope: "author:update",
  parameters: [VERSION, IDENTIFIER],
  body: Type.Object({
    into: Type.Union([Type.Integer(), Type.String()], { description: "Number or UUID of the author who stays" }),
  }),
  responses: { ...WITH_BODY, ...MISSING, 200: response("The author who stays", WrittenOut) },
});

export const DELETE_DETAIL = operation({
  id: "deleteAuthor",
  summary: "Delete an author",
  description: "Items keep their text and lose the link. Number and UUID are never another author's.",
  scope: "author:delete",
  parameters: [VERSION, IDENTIFIER],
  responses: { ...MISSING, 200: response("It is deleted", Type.Object({ message: Type.String() })) },
});
