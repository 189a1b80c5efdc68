// Which route of the repository asks for which scopes, and who may know what of an item (R2d, R2e, R6d, R37): the
// oracle of the access matrix. Written from the decisions alone, with no use of the code that it judges.
import { REPOSITORY_SCOPES, type RepositoryScope } from "../../src/auth/account.ts";

type Scopes = readonly RepositoryScope[];

/** What a route asks of a caller. */
type Asks =
  /** The same answer for everybody. */
  | { readonly kind: "public" }
  /** A page or a form of a session: by token nobody is signed in here. */
  | { readonly kind: "session" }
  /** A token, whatever it carries. */
  | { readonly kind: "token" }
  /** A signed-in account, by a token with all of these. */
  | { readonly kind: "all"; readonly scopes: Scopes }
  /** Guests too; a token needs one of these, else it is refused, or gets what guests get. */
  | { readonly kind: "one"; readonly scopes: Scopes; readonly without: "refused" | "guest" }
  /** A system administrator by a token that carries everything. */
  | { readonly kind: "administration" };

/** What the answer contains of the item that its address names; a page shows a draft to those whose work it is. */
export type Shows = "record" | "page" | "draft" | "bytes" | "page bytes";
export type Rule = Asks & { readonly shows?: Shows };

const PUBLIC = { kind: "public" } as const;
const SESSION = { kind: "session" } as const;
const all = (...scopes: Scopes) => ({ kind: "all", scopes }) as const;
const orRefused = (...scopes: Scopes) => ({ kind: "one", scopes, without: "refused" }) as const;
const orGuest = (...scopes: Scopes) => ({ kind: "one", scopes, without: "guest" }) as const;
const READ = orRefused("item:read");
const RECORD = { ...READ, shows: "record" } as const;
const PAGE = { ...READ, shows: "page" } as const;
const BYTES = { ...READ, shows: "bytes" } as const;
const DRAFT = { ...all("item:read"), shows: "draft" } as const;
const ACTIVITY = all("user:activity");

/** By method and pattern; the first that fits counts. */
export const RULES: readonly (readonly [RegExp, Rule])[] = [
  [/^OPTIONS /, PUBLIC],
  [
    /^GET \/(?:healthz|readyz|metrics|robots\.txt|opensearch\.xml|(?:static\/)?favicon\.ico|static\/:name|viewers\/pdf(?:\/:version\/:folder\/:name)?)$/,
    PUBLIC,
  ],
  [/^GET \/(?:api\/(?:docs|redoc|openapi\.json)|schemas)(?:\/|$)/, PUBLIC],
  [/^GET \/\.well-known\//, PUBLIC],
  // Its secret address is the proof.
  [/^GET \/feeds\/(?:tasks|searches)\/:secret$/, PUBLIC],
  [/^(?:GET|POST) \/oai$/, PUBLIC],
  [/^POST \/oauth\/(?:token|register|revoke)$/, PUBLIC],
  [/^GET \/api\/(?:affiliations|awards|funders|names|subjects|vocabularies)(?:\/|$)/, PUBLIC],
  [/^GET \/items\/schemaform\/:item_type_id$/, PUBLIC],
  [/^GET \/api\/opensearch\/description\.xml$/, PUBLIC],
  // The tools are called in separate tests: each has its scope.
  [/^\w+ \/mcp(?:-auth)?$/, PUBLIC],

  [/^\w+ \/(?:account(?:\/|$)|oauth\/authorize$)/, SESSION],
  [/^\w+ \/(?:me(?:\/tasks)?$|requests\/|communities\/:community\/join$)/, SESSION],
  [/^\w+ \/deposit(?:\/|$)/, SESSION],
  [/^GET \/(?:search|api\/:version\/records)\/export$/, READ],
  [/^POST \/(?:authors|workflow)\//, SESSION],
  [/^GET \/authors(?:\/new|\/:id\/edit)?$/, all("author:search")],
  [/^GET \/workflow\//, orRefused("user:activity")],
  [/^\w+ \/records\/:id\/(?:edit|new-version|restore|share|transfer|withdraw)$/, SESSION],
  [/^\w+ \/transfers\/:transfer_id$/, SESSION],
  [/^\w+ \/(?:access-requests\/|records\/:id\/(?:request-access|access-requests)(?:\/|$))/, SESSION],
  [/^GET \/records\/:id\/(?:export\/:format|versions|compare\/:other)$/, RECORD],
  [/^GET \/records\/:id(?:\/files|\/values\/:field)?$/, PAGE],
  [/^GET \/records\/:id\/files\/:key$/, { ...orRefused("item:read", "file:read"), shows: "page bytes" }],
  [/^GET \/records\/:id\/view\/:key(?:\/content)?$/, { ...orRefused("item:read", "file:read"), shows: "page bytes" }],
  // The files of the test are not archives.
  [/^GET \/records\/:id\/view\/:key\/entry$/, orRefused("item:read", "file:read")],
  [/^GET \/(?:$|search(?:\/suggestions)?$|docs\/pages$|authors\/:id$|index(?:\/|$)|sitemap[./])/, READ],
  [/^GET \/(?:about|policy|contact|help|pages(?:\/:slug)?)$/, READ],
  [/^\w+ \/pages\/:slug\//, SESSION],
  [/^GET \/(?:persons|subjects|funders|licences)$/, READ],
  [/^GET \/(?:statistics|(?:authors|communities)\/:\w+\/statistics)$/, READ],
  [/^GET \/records\/:id\/statistics$/, RECORD],
  [/^GET \/communities(?:\/:community(?:\/(?:feed|logo|members))?)?$/, READ],
  [/^\w+ \/(?:community\/new|communities\/:community\/\w+(?:\/delete)?)$/, SESSION],

  [/^GET \/api\/me$/, { kind: "token" }],
  [/^\w+ \/api\/me(?:\/|$)/, all(...REPOSITORY_SCOPES)],
  [/^GET \/sword\//, { kind: "token" }],
  [/^POST \/sword\//, all("deposit:write", "deposit:actions", "item:create")],
  [/^PUT \/sword\//, all("deposit:write", "deposit:actions", "item:update")],
  [/^DELETE \/sword\//, all("deposit:write", "deposit:actions", "item:delete")],

  [/^\w+ \/api\/:version\/admin\//, { kind: "administration" }],
  [/^GET \/api\/:version\/authors$/, all("author:search")],
  [/^POST \/api\/:version\/authors$/, all("author:create")],
  [/^(?:PUT|POST) \/api\/:version\/authors\/:identifier(?:\/merge)?$/, all("author:update")],
  [/^DELETE \/api\/:version\/authors\//, all("author:delete")],
  [/^GET \/api\/(?::version\/)?tree(?:\/|$)/, all("index:read")],
  [/^POST \/api\/(?::version\/tree\/index|indextree\/create)$/, all("index:create")],
  [/^PUT \/api\/:version\/tree\/index\//, all("index:update")],
  [/^DELETE \/api\/:version\/tree\/index\//, all("index:delete")],

  [/^GET \/api\/:version\/(?:items|bulk-changes)\//, all("item:read")],
  [/^(?:PUT|POST|DELETE) \/api\/:version\/(?:items\/|bulk-changes$)/, all("item:update")],

  [/^GET \/api\/suggestions\/:source$/, orGuest("item:read", "index:read", "user:activity")],
  [/^GET \/api\/(?:opensearch\/search|(?:opensearch\/)?suggestions|statistics)$/, orGuest("item:read")],
  [/^GET \/api\/:version\/records\/:record_id$/, PAGE],
  [/^(?:GET|POST) \/api\/:version\/records(?:\/list)?$/, READ],
  [/^\w+ \/api\/v1\/workflow\//, ACTIVITY],
  [/^GET \/api\/pages(?:\/:slug)?$/, orGuest("item:read")],
  [/^\w+ \/api\/pages\//, all(...REPOSITORY_SCOPES)],
  [/^GET \/api\/user\/records$/, all("item:read")],
  [/^GET \/api\/communities(?:\/:id(?:\/(?:logo|members\/public))?)?$/, orGuest("user:activity")],
  [/^GET \/api\/communities\/:id\/records$/, READ],
  [/^\w+ \/api\/(?:communities|requests|user)(?:\/|$)/, ACTIVITY],
  [/^POST \/api\/records\/:id\/access\/request$/, orGuest("user:activity")],
  [/^\w+ \/api\/records\/:id\/access(?:\/requests(?:\/:request)?)?$/, ACTIVITY],
  [/^GET \/api\/records\/:id\/communities$/, orGuest("user:activity")],
  [/^\w+ \/api\/records\/:id\/(?:communities|communities-suggestions|requests)$/, ACTIVITY],
  [/^\w+ \/api\/records\/:id\/draft\/(?:review|actions\/submit-review)$/, ACTIVITY],

  [/^GET \/api\/iiif\//, READ],
  [/^GET \/api\/records$/, READ],
  [/^GET \/api\/records\/import\/doi$/, all("item:create")],
  [/^GET \/api\/records\/duplicates$/, all("item:read")],
  [/^GET \/api\/records\/:id$/, RECORD],
  [/^GET \/api\/records\/:id\/(?:versions|versions\/latest|files|files\/:key)$/, READ],
  [/^GET \/api\/records\/:id\/(?:files\/:key\/content|files-archive)$/, BYTES],
  [/^GET \/api\/records\/:id\/draft$/, DRAFT],
  [/^GET \/api\/records\/:id\//, all("item:read")],
  [/^POST \/api\/records(?:\/import|\/:id\/versions)?$/, all("item:create")],
  [/^POST \/api\/records\/:id\/draft\/files$/, all("item:create")],
  [/^GET \/api\/transfers\/:id$/, all("item:read")],
  [/^POST \/api\/transfers\/:id\/actions\/:action$/, all("item:update")],
  [/^DELETE \/api\/records\/:id\/access\//, all("item:update")],
  [/^DELETE \/api\/records\//, all("item:delete")],
  [/^POST \/api\/records\/:id\/restore$/, all("item:delete")],
  [/^(?:POST|PUT|PATCH) \/api\/records\//, all("item:update")],
];

/** How a caller comes: by a token with these scopes, by the cookie of a session, or as nobody. */
export type Caller = {
  readonly name: string;
  readonly account: Person | null;
  readonly by: "nobody" | "session" | Scopes;
};
export type Person = "registered" | "other" | "manager" | "admin" | "system";

const ADMINISTRATORS: readonly (Person | null)[] = ["admin", "system"];

/** Whose rights decide an answer: an account's, a guest's (null), or "refused" where there is none. */
export function effective(rule: Rule, { account, by }: Caller, carriesAll: boolean): Person | null | "refused" {
  if (by === "session") return account;
  const isGuest = by === "nobody";
  switch (rule.kind) {
    case "public":
    case "session":
      return null;
    case "token":
      return isGuest ? "refused" : account;
    case "all":
      return !isGuest && rule.scopes.every((scope) => by.includes(scope)) ? account : "refused";
    case "one":
      if (isGuest) return null;
      if (rule.scopes.some((scope) => by.includes(scope))) return account;
      return rule.without === "guest" ? null : "refused";
    case "administration":
      return account === "system" && carriesAll ? account : "refused";
  }
}

/** Whether a token is refused for its scopes alone. */
export const lacksScopes = (rule: Rule, scopes: Scopes): boolean =>
  (rule.kind === "all" && !rule.scopes.every((scope) => scopes.includes(scope))) ||
  (rule.kind === "one" && rule.without === "refused" && !rule.scopes.some((scope) => scopes.includes(scope)));

/** Of an item: what decides who knows of it. */
export type Subject = {
  readonly name: string;
  readonly state: "published" | "draft" | "deleted";
  /** Read by everybody while it is published. */
  readonly isOpen: boolean;
  /** Its files are open to every reader of the record. */
  readonly hasOpenFiles: boolean;
  /** There is unsaved work on it. */
  readonly hasEdit?: boolean;
  /** An activity decides about it: its words are the activity's until then. */
  readonly isPending?: boolean;
  /** A community decides about it. */
  readonly isReviewed?: boolean;
};

/**
 * R2d: administrators, the owner, and who decides about it. All subjects are `registered`'s; the community is
 * `manager`'s.
 */
const isPrivileged = (who: Person | null, { isReviewed = false }: Subject): boolean =>
  ADMINISTRATORS.includes(who) || who === "registered" || (isReviewed && who === "manager");

export const readsRecord = (who: Person | null, subject: Subject): boolean =>
  subject.state === "published" && (subject.isOpen || isPrivileged(who, subject));
export const readsBytes = (who: Person | null, subject: Subject): boolean =>
  readsRecord(who, subject) && (subject.hasOpenFiles || isPrivileged(who, subject));
export const readsDraft = (who: Person | null, subject: Subject): boolean =>
  (subject.state === "draft" || (subject.state === "published" && subject.hasEdit === true)) &&
  isPrivileged(who, subject);

/** A page shows what is published, and what never was to those whose work it is. */
export const readsPage = (who: Person | null, subject: Subject): boolean =>
  readsRecord(who, subject) || (subject.state === "draft" && isPrivileged(who, subject));
export const readsPageBytes = (who: Person | null, subject: Subject): boolean =>
  readsBytes(who, subject) || (subject.state === "draft" && isPrivileged(who, subject));

/** Content for some callers only: a word that occurs in no address. */
export type Secret = {
  readonly word: string;
  readonly isFor: (who: Person | null) => boolean;
  /** A token must carry this besides what the route asks. */
  readonly scope?: RepositoryScope;
};

const manages = (who: Person | null): boolean => ADMINISTRATORS.includes(who) || who === "manager";

export function secretsOf(subjects: readonly Subject[]): readonly Secret[] {
  return [
    ...subjects.flatMap((subject): Secret[] => [
      {
        word: `zqtitle${subject.name}`,
        // A deleted record is visible to those who may restore it, and in separate lists.
        isFor: (who) => readsRecord(who, subject) || readsDraft(who, subject) || isPrivileged(who, subject),
      },
      {
        word: `zqbytes${subject.name}`,
        isFor: (who) => readsBytes(who, subject) || readsDraft(who, subject),
      },
      { word: `zqdraft${subject.name}`, isFor: (who) => readsDraft(who, subject) },
    ]),
    // A restricted community: its members, administrators, and who asked it for a review.
    { word: "zqcommunity", isFor: (who) => manages(who) || who === "registered" },
    { word: "zqcomment", isFor: (who) => manages(who) || who === "registered" },
    // Mail addresses are for those who look after authors, by their scope (R2g, R6d).
    { word: "zqmail", isFor: manages, scope: "author:search" },
    // An index that is not public: administrators, and owners of its items.
    { word: "zqindex", isFor: (who) => ADMINISTRATORS.includes(who) || who === "registered" },
  ];
}
