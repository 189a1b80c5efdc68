// What people see of the repository, as a feature of it (R19a, R32, R33).
import { pageDialect } from "../../../plugins/repository/site/answers.ts";
import { cookies } from "../../../plugins/repository/site/cookies.ts";
import { site } from "../../../plugins/repository/site/site.ts";
import { OidcProvider } from "../../adapters/oidc-sign-in.ts";
import { unpacking } from "../../adapters/unpacking.ts";
import type { Viewer } from "../../auth/account.ts";
import { communities } from "../../repository/communities/communities.ts";
import { logos } from "../../repository/communities/logos.ts";
import { members } from "../../repository/communities/members.ts";
import type { FigureKind } from "../../repository/figures/figures.ts";
import { filingChoices } from "../../repository/index-tree/filing-choices.ts";
import { noticeChoices } from "../../repository/notices/choices.ts";
import { taskCounts } from "../../repository/notices/task-counts.ts";
import { countWaiting, tasksOf } from "../../repository/notices/tasks.ts";
import { communityShowing } from "../../repository/pages/communities.ts";
import { figureSubject } from "../../repository/pages/figure-subjects.ts";
import { filedShowing } from "../../repository/pages/filed.ts";
import { frontShowing } from "../../repository/pages/front.ts";
import { personShowing } from "../../repository/pages/persons.ts";
import { relatedShowing } from "../../repository/pages/related.ts";
import { relationShowing } from "../../repository/pages/relations.ts";
import { showing } from "../../repository/pages/repository-pages.ts";
import { searchShowing } from "../../repository/pages/searching.ts";
import { versionShowing } from "../../repository/pages/versions.ts";
import { accountExport } from "../../repository/people/account-export.ts";
import { accountTokens } from "../../repository/people/account-tokens.ts";
import { ownAccount } from "../../repository/people/own-account.ts";
import { ownTokens } from "../../repository/people/own-tokens.ts";
import { signIn } from "../../repository/people/sign-in.ts";
import { likelyDuplicates } from "../../repository/record-lists/likely-duplicates.ts";
import { draftApproval } from "../../repository/records/draft-approval.ts";
import { sharedWith } from "../../repository/records/shared-with.ts";
import { transferring } from "../../repository/records/transferring.ts";
import { withdrawing } from "../../repository/records/withdrawing.ts";
import { communityChoices } from "../../repository/requests/draft-communities.ts";
import { fieldNotes } from "../../repository/requests/field-comments.ts";
import { joinableCommunities } from "../../repository/requests/membership-requests.ts";
import { taskDecisions } from "../../repository/requests/task-decisions.ts";
import { searchStopLinks } from "../../repository/saved-searches/stop-links.ts";
import { facetValues } from "../../repository/search/detail/facet-values.ts";
import { hitReasons } from "../../repository/search/detail/hit-reasons.ts";
import { completion } from "../../repository/search/query/completion.ts";
import { viewing } from "../../repository/viewers/viewing.ts";
import { zipEntryOf } from "../../repository/viewers/zip.ts";
import { activityViews } from "../../repository/workflow/activity-views.ts";
import { randomText } from "../../shared/hash/digests.ts";
import type { ItemId } from "../../shared/ids.ts";
import { lookOf } from "../pages/look.ts";
import { rateLimitOf } from "../process/edge-limits.ts";
import { authorizationOf } from "./authorization.ts";
import type { Feature, ServerRuntime } from "./feature.ts";
import { fieldSuggestionsOf } from "./field-suggestions.ts";
import { hitExportOf } from "./hit-files.ts";
import { openSearchOf } from "./opensearch.ts";
import { closingOf, registrationOf } from "./people-core.ts";
import { draftImportOf, recordListsOf, recordsOf } from "./record-core.ts";
import { recordExportsOf } from "./record-exports.ts";
import { recordFilesOf } from "./record-files.ts";
import { accessPagesOf, requestsOf } from "./request-core.ts";
import { savedSearchesOf } from "./saved-searches.ts";
import { figuresOf } from "./statistics.ts";

/** Forms to register that one client may send in a minute. */
const REGISTRATIONS = 5;

/** People, subjects, funders and licences with their items, and figures. */
const listsOf = (served: ServerRuntime) => {
  const { store, finder, items } = served;
  const needs = { finder, store, today: items.today };
  return {
    persons: personShowing(needs),
    filed: filedShowing(needs),
    figures: figuresOf(served),
    staticPages: served.staticPages,
    figureSubject: (kind: FigureKind, ref: string, tag: string) => figureSubject(store, kind, ref, tag),
  };
};

/** The bytes of files, what is inside of them, and what the viewers show of them. */
function contentsOf({ store, files: { storage } }: ServerRuntime) {
  return {
    storage,
    zipEntry: zipEntryOf(storage, unpacking()),
    viewing: viewing(storage, unpacking(), async (sha256, characters) => {
      const texts = await store.fullText.fileTexts([sha256], characters);
      return texts.get(sha256) ?? "";
    }),
  };
}

export const pagesFeature: Feature = {
  endpoint: (served) => {
    const { config, store, clock, random, activities, addresses } = served;
    const records = recordsOf(served);
    const { baseUrl } = addresses;
    const community = communities({ store, clock, random, baseUrl });
    const settings = {
      repositoryName: config.repositoryName,
      rootPath: config.rootPath,
      lang: config.lang,
      ...{ look: lookOf(config), footer: served.staticPages.footer, footerLinks: config.footerLinks },
    };
    const plugin = site({
      settings,
      abstract: config.repositoryAbstract,
      pictureAlt: config.frontPictureAlt,
      hasComponentPage: config.componentPage,
      usage: served.usage,
      ...contentsOf(served),
      showing: showing({
        store,
        items: served.items,
        activities,
        today: served.items.today,
        repositoryName: config.repositoryName,
        addresses,
        exports: recordExportsOf(served),
      }),
      front: frontShowing({ finder: served.finder, store, clock, today: served.items.today }),
      related: relatedShowing({ finder: served.finder, store, clock, today: served.items.today }),
      relations: relationShowing({ finder: served.finder, store, addresses, today: served.items.today }),
      versions: versionShowing(served.items),
      personPage: addresses.personPage,
      ...listsOf(served),
      authors: served.authors,
      authorChoices: () => store.authors.authorChoices(),
      searching: searchShowing({
        finder: served.finder,
        store,
        today: served.items.today,
        values: facetValues({ store, today: served.items.today }),
        reasons: hitReasons({ store, today: served.items.today }),
      }),
      hitExport: hitExportOf(served),
      savedSearches: savedSearchesOf(served),
      searchStopLinks: searchStopLinks({ store, clock }),
      openSearch: openSearchOf(served),
      completion: completion({ finder: served.finder, store }),
      signIn: signInOf(served),
      activities,
      views: activityViews({ store, activities }),
      noticeChoices: noticeChoices({ store, clock, random }),
      tasksOf: (viewer, asked) => tasksOf({ store, activities }, viewer, asked),
      requests: requestsOf(served),
      fieldNotes: fieldNotes(store),
      joinable: (viewer) => joinableCommunities(store, viewer),
      decideTasks: taskDecisions({ store, requests: requestsOf(served), activities }),
      filing: filingChoices({ store, today: served.items.today }),
      communityChoices: communityChoices(store),
      approval: draftApproval({ store, items: served.items, activities, records: recordsOf(served) }),
      communityOf: community.read,
      communities: community,
      communityTypes: () => store.communities.vocabulary("communitytypes"),
      members: members({ store, clock, baseUrl }),
      logos: logos({ store, clock, baseUrl }),
      logosOf: (ids) => store.communities.logos(ids),
      communityWorks: communityShowing({ finder: served.finder, store, today: served.items.today }),
      communityTitle: async (id) => (await store.communities.community(id))?.title.en ?? "",
      lists: recordListsOf(served, records),
      now: () => clock.now(),
      withdrawn: (viewer, before, limit) => withdrawnItems(served.items, viewer, before, limit),
      sharedWith: sharedWith({ store, records }),
      waiting: taskCounts({ clock, count: (viewer) => countWaiting({ store, activities }, viewer) }).waiting,
      ...accessPagesOf(served),
      transferring: transferring({ store, clock, random }, records),
      accountsOf: (ids) => store.accounts.accounts(ids),
      withdrawing: withdrawing({ store, clock, items: served.items, activities }),
      baseUrl,
      ownAccount: ownAccount({ store, clock, random }),
      accountExport: accountExport({ store, clock }),
      closing: closingOf(served),
      registration: registrationOf(served),
      hasRegistration: Array.isArray(config.registration),
      registrationRate: rateLimitOf("register", REGISTRATIONS, store.arks.rates, served.log),
      ownTokens: ownTokens({ store, clock, tokens: accountTokens({ clock, random }) }),
      authorization: authorizationOf(served),
      cookies: cookies(addresses.isSecure),
      newFormToken: () => randomText(random.bytes(32)),
      guard: served.guard,
      records,
      imports: draftImportOf(served, records),
      duplicates: likelyDuplicates(served),
      fields: fieldSuggestionsOf(served),
      recordFiles: recordFilesOf(served),
      maxUploadBytes: config.maxUploadBytes,
      slow: {
        clientSeconds: config.clientSeconds,
        leastBytesPerSecond: config.leastUploadRate,
        now: () => Date.parse(clock.now()),
      },
    });
    return {
      plugin,
      dialectFor: (path, request) => (asksForPage(path, request) ? pageDialect(settings, served.guard) : null),
    };
  },
};

/** What somebody deposited and what was deleted since, by number. */
async function withdrawnItems(items: ServerRuntime["items"], viewer: Viewer, before: ItemId | null, limit: number) {
  const owner = viewer.account?.id;
  return owner === undefined ? [] : await items.list(viewer, { owner, state: "deleted" }, before, limit);
}

/** Browsers outside the interfaces get a page (R9). */
function asksForPage(path: string, request: Request): boolean {
  return !path.startsWith("/api/") && /\btext\/html\b/i.test(request.headers.get("accept") ?? "");
}

function signInOf(served: ServerRuntime) {
  const { store, clock, random, log, noteRefused } = served;
  return signIn({
    store,
    clock,
    random,
    oidc: providerOf(served),
    register: (tx, mail) => registrationOf(served).fromProvider(tx, mail),
    note: ({ way, cause }) => {
      noteRefused(`sign-in by ${way}`, cause);
      log.info("sign_in_refused", { way, cause });
    },
  });
}

/** Where people sign in with their organisation, when that is set; the settings were checked at start. */
/** The issuers of ORCID. */
const ORCID = /^https:\/\/(?:sandbox\.)?orcid\.org\/?$/;

function providerOf({ config, clock, addresses }: ServerRuntime) {
  const { oidcOrcid, oidcIssuer, signInClientId, signInClientSecret } = config;
  if (oidcIssuer === null || signInClientId === null || signInClientSecret === null) return null;
  const provider = new OidcProvider({
    issuer: oidcIssuer,
    clientId: signInClientId,
    clientSecret: signInClientSecret,
    now: () => new Date(clock.now()),
  });
  const isOrcid = oidcOrcid === "yes" || (oidcOrcid === "auto" && ORCID.test(oidcIssuer));
  return { provider, redirectUri: addresses.signInCallback, isOrcid, origin: new URL(oidcIssuer).origin };
}
