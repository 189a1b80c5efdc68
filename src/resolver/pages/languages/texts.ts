// What a language file holds. Another language is one more file beside en.ts and ja.ts, named in index.ts (A38).

/** Commitment levels, as the service spells them. */
export type Level =
  | "not-guaranteed"
  | "permanent-dynamic"
  | "permanent-stable"
  | "permanent-unchanging"
  | "descriptive-only";

export type Texts = {
  /** Language tag, also for `lang` and `Content-Language`. */
  readonly tag: string;
  /** For dates. */
  readonly locale: string;
  /** The language's own name, for the link that switches to it. */
  readonly ownName: string;
  readonly service: string;
  readonly tagline: string;
  readonly footer: string;
  readonly notRecorded: string;
  readonly levels: Readonly<Record<Level, string>>;
  readonly labels: {
    readonly who: string;
    readonly what: string;
    readonly when: string;
    readonly where: string;
    readonly address: string;
    readonly redirect: string;
    readonly type: string;
    readonly identifier: string;
    readonly format: string;
    readonly relation: string;
    readonly source: string;
    readonly updated: string;
    readonly created: string;
    readonly responsible: string;
    readonly level: string;
    readonly commitment: string;
    readonly policy: string;
    readonly policyPage: string;
    readonly reason: string;
    readonly until: string;
    readonly naan: string;
  };
  readonly name: {
    readonly about: string;
    readonly persistence: string;
    readonly open: string;
    readonly noTarget: string;
    readonly unsafeTarget: string;
    readonly untitled: string;
    readonly otherForms: string;
    /** Under which record a name is described that has none of its own. */
    readonly inherited: (ark: string, suffix: string) => string;
    readonly reserved: string;
  };
  readonly tombstone: {
    readonly badge: string;
    readonly heading: string;
    readonly text: string;
    readonly page: string;
  };
  readonly hold: {
    readonly badge: string;
    readonly heading: string;
    readonly text: string;
    readonly scopes: Readonly<Record<"ark" | "shoulder" | "naan", string>>;
  };
  readonly naan: {
    readonly badge: string;
    readonly ours: string;
    readonly others: string;
    readonly visit: string;
    readonly unnamed: string;
  };
  readonly problem: {
    readonly notFound: string;
    readonly badRequest: string;
    readonly requested: string;
    /** By the number of the service error. */
    readonly sentences: Readonly<Record<string, string>>;
    readonly otherwise: string;
    readonly advice: readonly string[];
    readonly code: string;
    readonly home: string;
  };
  readonly front: {
    readonly heading: string;
    readonly intro: string;
    readonly field: string;
    readonly hint: string;
    readonly check: string;
    readonly resolve: string;
    readonly result: string;
    readonly notAnArk: string;
    readonly canonical: string;
    readonly assigner: string;
    readonly assignerOurs: string;
    readonly assignerKnown: string;
    readonly assignerUnknown: string;
    readonly checkCharacter: string;
    readonly checkFits: string;
    readonly checkWrong: string;
    readonly checkNone: string;
    readonly outcome: string;
    readonly leadsTo: string;
    readonly described: string;
    readonly notFound: string;
    readonly whatHeading: string;
    readonly what: readonly string[];
    readonly description: string;
    readonly document: string;
  };
};
