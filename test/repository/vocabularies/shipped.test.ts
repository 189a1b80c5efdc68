// The vocabularies the product brings along: complete, and of one mind with the public lists their properties are words
// of (R6a; specification 3, "Tool-server records and requests").
import { describe, expect, test } from "bun:test";
import {
  SHIPPED_EDITION,
  SHIPPED_TYPES,
  type ShippedEntry,
  shippedEntry,
  shippedProps,
  shippedVocabulary,
} from "../../../src/assets/vocabularies/index.ts";
import { sha256Hex } from "../../../src/shared/hash/digests.ts";

const ids = (type: string): readonly string[] => shippedVocabulary(type).map(({ id }) => id);
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** resourceTypeGeneral of DataCite 4.6. */
const DATACITE_GENERAL = words(`Audiovisual Award Book BookChapter Collection ComputationalNotebook ConferencePaper
  ConferenceProceeding DataPaper Dataset Dissertation Event Image Instrument InteractiveResource Journal JournalArticle Model
  OutputManagementPlan PeerReview PhysicalObject Preprint Project Report Service Software Sound Standard StudyRegistration Text
  Workflow Other`);
/** Types of CSL 1.0.2. */
const CSL =
  words(`article article-journal article-magazine article-newspaper bill book broadcast chapter classic collection
  dataset document entry entry-dictionary entry-encyclopedia event figure graphic hearing interview legal_case legislation manuscript
  map motion_picture musical_score pamphlet paper-conference patent performance periodical personal_communication post post-weblog
  regulation report review review-book software song speech standard thesis treaty webpage`);
const BIBTEX =
  words(`article book inbook incollection inproceedings manual misc phdthesis proceedings techreport unpublished
  software dataset`);
const EUREPO =
  words(`article annotation bachelorThesis book bookPart conferencePaper conferencePoster conferenceProceedings
  doctoralThesis lecture masterThesis other patent preprint report researchProposal review technicalDocumentation workingPaper`);
/** relationType, dateType, contributorType, titleType, descriptionType of DataCite 4.6. */
const DATACITE: Readonly<Record<string, ReadonlySet<string>>> = {
  relationtypes:
    words(`IsCitedBy Cites IsCollectedBy Collects IsSupplementTo IsSupplementedBy IsContinuedBy Continues IsDescribedBy
    Describes HasMetadata IsMetadataFor HasVersion IsVersionOf IsNewVersionOf IsPartOf IsPreviousVersionOf IsPublishedIn HasPart
    IsReferencedBy References IsDocumentedBy Documents IsCompiledBy Compiles IsVariantFormOf IsOriginalFormOf IsIdenticalTo
    IsReviewedBy Reviews IsDerivedFrom IsSourceOf IsRequiredBy Requires IsObsoletedBy Obsoletes IsTranslationOf HasTranslation`),
  datetypes: words(
    "Accepted Available Collected Copyrighted Coverage Created Issued Submitted Updated Valid Withdrawn Other",
  ),
  contributorsroles:
    words(`ContactPerson DataCollector DataCurator DataManager Distributor Editor HostingInstitution Producer
    ProjectLeader ProjectManager ProjectMember RegistrationAgency RegistrationAuthority RelatedPerson Researcher ResearchGroup
    RightsHolder Sponsor Supervisor Translator WorkPackageLeader Other`),
  titletypes: words("AlternativeTitle Subtitle TranslatedTitle Other"),
  descriptiontypes: words("Abstract Methods SeriesInformation TableOfContents TechnicalInfo Other"),
};

describe("the shipped vocabularies", () => {
  test("S3.6.160 the types of the specification are there, each id once, found by itself", () => {
    const named =
      "resourcetypes licenses languages removalreasons creatorsroles descriptiontypes relationtypes titletypes datetypes communitytypes";
    for (const type of [...words(named), "contributorsroles"]) expect(SHIPPED_TYPES).toContain(type);
    for (const type of SHIPPED_TYPES) {
      expect([type, new Set(ids(type)).size]).toEqual([type, ids(type).length]);
      expect(ids(type).map((id) => shippedEntry(type, id))).toEqual([...shippedVocabulary(type)]);
    }
    expect([
      shippedEntry("languages", "toString"),
      shippedEntry("nothing", "eng"),
      shippedProps("licenses", "?"),
    ]).toEqual([null, null, null]);
  });

  test("S3.6.161 a change of the files is another edition, which the next start looks through", async () => {
    const all = JSON.stringify(SHIPPED_TYPES.flatMap(shippedVocabulary));
    // A change of a file raises the edition and records its digest here.
    expect([SHIPPED_EDITION, sha256Hex(all).slice(0, 16)]).toEqual([20_261_123, "d4af48b23780f6d8"]);
  });

  test("S3.6.162 resource types have titles in English and Japanese and name what the public lists know", () => {
    const types = shippedVocabulary("resourcetypes");
    expect(types.length).toBe(45);
    for (const { id, title, props } of types) {
      expect([id, title.en !== "" && title.ja !== ""]).toEqual([id, true]);
      expect(props.coar).toMatch(
        /^http:\/\/purl\.org\/coar\/resource_type\/(?:c_[0-9a-z]{4,8}|[0-9A-Z]{4}-[0-9A-Z]{4})$/,
      );
      expect(DATACITE_GENERAL).toContain(props.datacite_general ?? "");
      expect(CSL).toContain(props.csl ?? "");
      expect(BIBTEX).toContain(props.bibtex ?? "");
      expect(EUREPO).toContain(props.eurepo?.replace("info:eu-repo/semantics/", "") ?? "");
      expect(props["schema.org"]).toMatch(/^https:\/\/schema\.org\/[A-Z][A-Za-z]+$/);
      const [type = "", subtype = ""] = id.split("-");
      const { marc21_type: marc, marc21_subtype: below } = props;
      expect([props.type, props.subtype, marc, below]).toEqual([type, subtype === "" ? "" : id, type, subtype]);
      expect(ids("resourcetypes")).toContain(type);
    }
    const namesOf = (id: string) => {
      const {
        coar,
        datacite_general: general,
        "schema.org": schema,
        csl,
        bibtex,
        eurepo,
      } = shippedProps("resourcetypes", id) ?? {};
      return [coar?.split("/").at(-1), general, schema?.split("/").at(-1), csl, bibtex, eurepo?.split("/").at(-1)];
    };
    expect([namesOf("publication-article"), namesOf("image-figure")]).toEqual([
      ["c_6501", "JournalArticle", "ScholarlyArticle", "article-journal", "article", "article"],
      ["c_ecc8", "Image", "ImageObject", "figure", "misc", "other"],
    ]);
  });

  test("S3.6.163 licences are those of SPDX by their ids in lower case, with an address and whether OSI approves", () => {
    const licenses = shippedVocabulary("licenses");
    expect(licenses.length).toBeGreaterThan(700);
    for (const { id, props } of licenses) {
      expect(props.spdx?.toLowerCase()).toBe(id);
      expect([id, URL.canParse(props.url ?? ""), props.url?.startsWith("http")]).toEqual([id, true, true]);
      expect(props.osi_approved).toMatch(/^[yn]$/);
      expect(props.tags?.split(" ")).toContain("all");
    }
    const of = (id: string): ShippedEntry | null => shippedEntry("licenses", id);
    expect(of("mit")?.props).toMatchObject({ spdx: "MIT", scheme: "spdx", osi_approved: "y" });
    expect(of("cc-by-nc-sa-2.5")?.title).toEqual({
      en: "Creative Commons Attribution-NonCommercial-ShareAlike 2.5 Generic",
      ja: "クリエイティブ・コモンズ 表示-非営利-継承 2.5 一般",
    });
    expect([of("gpl-2.0")?.props.deprecated, of("gpl-2.0-or-later")?.props.deprecated]).toEqual(["y", undefined]);
  });

  test("S3.6.164 languages are those of ISO 639-3, with the code of two letters where there is one, and Japanese names of the common ones", () => {
    const languages = shippedVocabulary("languages");
    expect(languages.length).toBe(7_910);
    for (const { id } of languages) expect(id).toMatch(/^[a-z]{3}$/);
    const short = languages.flatMap(({ props }) => props.alpha_2 ?? []);
    expect([short.length, new Set(short).size]).toEqual([184, 184]);
    expect(languages.filter(({ title }) => title.ja !== "").length).toBe(704);
    expect(shippedEntry("languages", "jpn")).toEqual({
      type: "languages",
      id: "jpn",
      title: { en: "Japanese", ja: "日本語" },
      props: { alpha_2: "ja" },
    });
    expect(shippedEntry("languages", "aaa")?.title).toEqual({ en: "Ghotuo", ja: "" });
  });

  test("S3.6.165 relations, dates, roles, titles and descriptions carry the names DataCite has for them, all of them", () => {
    for (const [type, names] of Object.entries(DATACITE)) {
      const carried = new Set(shippedVocabulary(type).map(({ props }) => props.datacite ?? ""));
      expect([type, [...carried].sort()]).toEqual([type, [...names].sort()]);
      // Each has its own name: the id is its letters. A series is the only part that has no separate word.
      for (const { id, props } of shippedVocabulary(type)) {
        const letters = id === "inseries" ? "ispartof" : id.replaceAll("-", "");
        expect([id, props.datacite?.toLowerCase()]).toEqual([id, letters]);
      }
    }
    expect(ids("creatorsroles")).toEqual(ids("contributorsroles"));
    for (const { props } of shippedVocabulary("contributorsroles")) expect(props.marc).toMatch(/^[a-z]{3}$/);
  });
});
