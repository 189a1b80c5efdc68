// The author database over HTTP (specification 2, "Author database endpoints"; R9, R20 to R22).
import { type Static, Type } from "@sinclair/typebox";
import type { Author } from "../../../src/model/agents/author.ts";
import { AuthorShape, authorAnswer } from "../../../src/repository/authors/author-answers.ts";
import { CHANGED_AUTHOR, MERGED_AUTHOR, NEW_AUTHOR } from "../../../src/repository/authors/author-body.ts";
import { AUTHOR_QUERY } from "../../../src/repository/authors/author-query.ts";
import { requireAuthorRole } from "../../../src/repository/authors/author-rights.ts";
import type { Authors } from "../../../src/repository/authors/authors.ts";
import { manyOf } from "../../../src/shared/shapes.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { authorGroup } from "../error-groups.ts";

type Services = { readonly authors: Authors };

const GROUP = authorGroup({
  name: "authors",
  tag: "Authors",
  rateGroup: "author",
  scopes: [],
  always: [400],
  ofOne: [404],
  pathParameters: { identifier: "Number or UUID of the author" },
  admit: requireAuthorRole,
});

const AuthorList = Type.Object({ authors: manyOf(AuthorShape) }, { $id: "AuthorList" });
const WrittenAuthor = Type.Object({ message: Type.String(), author: AuthorShape }, { $id: "WrittenAuthor" });

const written = (description: string) => ({ status: 200, description, schema: WrittenAuthor });
const writtenJson = (done: string, author: Author): Static<typeof WrittenAuthor> => ({
  message: `Author successfully ${done}.`,
  author: authorAnswer(author),
});

const FOR = "For administrators of the repository or of a community.";
const { get, post, put, remove } = endpointsOf<Services>();

const AUTHOR_ENDPOINTS = [
  get("/authors", {
    id: "searchAuthors",
    summary: "Search authors",
    description: `All conditions must match. Case, width, accents and blanks of names are ignored; a name that ends with \`*\` matches by its beginning. ${FOR}`,
    scopes: ["author:search"],
    query: AUTHOR_QUERY,
    answer: { status: 200, description: "The authors by number, also none", schema: AuthorList },
    run: async ({ authors }, { viewer, query }) => ({
      authors: (await authors.search(viewer, query())).map(authorAnswer),
    }),
  }),
  post("/authors", {
    id: "createAuthor",
    summary: "Create an author",
    description: `The repository assigns the number of the scheme LOCAL, whatever is sent. Administrators of a community name one of theirs. ${FOR}`,
    scopes: ["author:create"],
    body: NEW_AUTHOR,
    answer: written("The author as it is stored"),
    run: async ({ authors }, { viewer, body }) => writtenJson("registered", await authors.create(viewer, body())),
  }),
  put("/authors/:identifier", {
    id: "updateAuthor",
    summary: "Replace an author",
    description: `What is not sent is deleted. At least one identifier of the scheme LOCAL must be sent. The change is carried to the items in which the author is linked; names only with \`force_change\`. ${FOR}`,
    scopes: ["author:update"],
    body: CHANGED_AUTHOR,
    answer: written("The author as it is now"),
    run: async ({ authors }, { viewer, params, body }) =>
      writtenJson("updated", await authors.update(viewer, params.identifier, body())),
  }),
  post("/authors/:identifier/merge", {
    id: "mergeAuthor",
    summary: "Take an author in with another",
    description: `Both are one person. The items follow. The author who stays gets identifiers of schemes in which they had none. Number, UUID and numbers of the scheme LOCAL of the merged author always lead to the author who stays. ${FOR}`,
    scopes: ["author:update"],
    body: MERGED_AUTHOR,
    answer: written("The author who stays"),
    run: async ({ authors }, { viewer, params, body }) =>
      writtenJson("merged", await authors.merge(viewer, params.identifier, body())),
  }),
  remove("/authors/:identifier", {
    id: "deleteAuthor",
    summary: "Delete an author",
    description: `Items keep their text and lose the link. Number and UUID are never another author's. ${FOR}`,
    scopes: ["author:delete"],
    answer: { status: 200, description: "It is deleted", schema: Type.Object({ message: Type.String() }) },
    async run({ authors }, { viewer, params }) {
      await authors.remove(viewer, params.identifier);
      return { message: "Author successfully deleted." };
    },
  }),
];

export const authorPlugin = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(GROUP, AUTHOR_ENDPOINTS, services, guard);
