// An author in answers (specification 2, "Author resource"; R20): the members of the specification, and the author's
// ids.
import { type Static, Type } from "@sinclair/typebox";
import type { Author } from "../../model/agents/author.ts";
import { manyOf, UuidShape } from "../../shared/shapes.ts";

const text = Type.Optional(Type.String());
const day = Type.Optional(Type.String({ format: "date" }));

export const AuthorShape = Type.Object(
  {
    id: Type.Integer(),
    uuid: UuidShape,
    emailInfo: manyOf(Type.Object({ email: Type.String() })),
    authorIdInfo: manyOf(
      Type.Object({
        idType: Type.String({ description: "LOCAL is the repository's own numbering" }),
        authorId: Type.String(),
        authorIdShowFlg: Type.Boolean(),
      }),
    ),
    authorNameInfo: manyOf(
      Type.Object({
        language: text,
        firstName: text,
        familyName: text,
        nameFormat: text,
        nameShowFlg: Type.Boolean(),
      }),
    ),
    affiliationInfo: manyOf(
      Type.Object({
        identifierInfo: manyOf(
          Type.Object({
            affiliationIdType: Type.String(),
            affiliationId: Type.String(),
            identifierShowFlg: Type.Boolean(),
          }),
        ),
        affiliationNameInfo: manyOf(
          Type.Object({
            affiliationName: Type.String(),
            affiliationNameLang: Type.String(),
            affiliationNameShowFlg: Type.Boolean(),
          }),
        ),
        affiliationPeriodInfo: manyOf(Type.Object({ periodStart: day, periodEnd: day })),
      }),
    ),
    communityIds: manyOf(Type.String({ description: "Slug of a community that manages the author" })),
  },
  { $id: "Author" },
);

export function authorAnswer({ id, uuid, content, communities }: Author): Static<typeof AuthorShape> {
  const { emailInfo, authorIdInfo, authorNameInfo, affiliationInfo } = content;
  return { id, uuid, emailInfo, authorIdInfo, authorNameInfo, affiliationInfo, communityIds: communities };
}
