// What a language file of the repository's pages holds (R19a, R32, R33). Another language is one more file, named in index.ts.

export type RepositoryTexts = {
  /** Language tag, also for `lang` and `Content-Language`. */
  readonly tag: string;
  /** For dates and numbers. */
  readonly locale: string;
  /** The language's own name, for the link that switches to it. */
  readonly ownName: string;
  readonly site: {
    readonly skip: string;
    readonly indexes: string;
    readonly activities: string;
    readonly account: string;
    readonly signIn: string;
    readonly signOut: string;
    readonly languages: string;
    readonly pages: string;
    readonly interfaces: string;
    readonly footer: string;
    readonly untitled: string;
    /** Before an identifier's value, a role, a kind of date. */
    readonly colon: string;
    readonly older: string;
    readonly newest: string;
    readonly none: string;
    /** Between people in a line. */
    readonly between: string;
    readonly previous: string;
    readonly next: string;
    readonly page: (page: number, pages: number) => string;
  };
  readonly front: {
    readonly about: string;
    readonly recent: string;
    readonly empty: string;
    readonly indexes: string;
  };
  readonly record: {
    readonly files: string;
    readonly noFiles: string;
    readonly metadata: string;
    readonly cite: string;
    readonly permanent: string;
    readonly address: string;
    readonly noArk: string;
    readonly published: string;
    readonly updated: string;
    readonly indexesLabel: string;
    readonly versions: string;
    readonly version: (number: number) => string;
    readonly thisVersion: string;
    readonly latest: string;
    readonly olderBanner: string;
    readonly toLatest: string;
    readonly exports: string;
    readonly draft: string;
    readonly draftNote: string;
    readonly activity: string;
    readonly restricted: string;
    readonly contradiction: (stated: string, actual: string) => string;
    readonly other: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly yes: string;
    readonly no: string;
    /** So many people beside those that are named. */
    readonly others: (people: number) => string;
    readonly more: (values: number) => string;
    readonly all: (values: number) => string;
    readonly count: (values: number) => string;
    readonly inExports: (values: number) => string;
  };
  /** By `access.status`. */
  readonly access: Readonly<Record<string, string>>;
  /** Where more is to be said than that. */
  readonly openness: {
    readonly partly: string;
    readonly partlyUntil: (day: string) => string;
    readonly later: (day: string) => string;
    readonly embargoed: (day: string) => string;
  };
  readonly file: {
    readonly name: string;
    readonly size: string;
    readonly access: string;
    readonly open: string;
    readonly download: string;
    readonly restricted: string;
    readonly until: (day: string) => string;
    readonly login: string;
    readonly groups: string;
    readonly closed: string;
    readonly readableByYou: string;
    readonly more: (files: number) => string;
    readonly all: (files: number) => string;
    readonly inFolder: (files: number, size: string) => string;
    readonly license: string;
  };
  readonly tombstone: {
    readonly badge: string;
    readonly heading: string;
    readonly text: string;
    readonly reason: string;
    readonly note: string;
    readonly date: string;
    readonly citation: string;
    readonly ark: string;
  };
  readonly refusal: {
    /** By status; `0` for all others. */
    readonly headings: Readonly<Record<string, string>>;
    readonly sentences: Readonly<Record<string, string>>;
    readonly detail: string;
    readonly home: string;
    readonly askToSignIn: string;
  };
  readonly index: {
    readonly heading: string;
    readonly intro: string;
    readonly children: string;
    readonly items: string;
    readonly noItems: string;
    readonly empty: string;
    readonly more: (hidden: number) => string;
    readonly feed: string;
    readonly trail: string;
    readonly count: (items: number) => string;
  };
  readonly activity: {
    readonly heading: string;
    readonly none: string;
    readonly conditions: Readonly<Record<"todo" | "wait" | "all", string>>;
    readonly number: string;
    readonly kind: string;
    readonly kinds: Readonly<Record<string, string>>;
    readonly state: string;
    readonly states: Readonly<Record<string, string>>;
    readonly stepStates: Readonly<Record<string, string>>;
    readonly action: string;
    readonly depositor: string;
    readonly item: string;
    readonly workflow: string;
    readonly begun: string;
    readonly changed: string;
    readonly proposal: string;
    readonly history: string;
    readonly who: string;
    readonly when: string;
    readonly comment: string;
    readonly decide: string;
    readonly commentLabel: string;
    readonly indexLabel: string;
    readonly indexHint: string;
    readonly indexNeeded: string;
    readonly approve: string;
    readonly throwOut: string;
    readonly cancel: string;
    readonly cancelHint: string;
    readonly thrownOut: string;
    readonly page: (page: number, pages: number) => string;
    readonly earlier: string;
    readonly later: string;
  };
  readonly account: {
    readonly signInHeading: string;
    readonly tokenLabel: string;
    readonly tokenHint: string;
    readonly signIn: string;
    readonly wrong: string;
    readonly orProvider: string;
    readonly provider: string;
    readonly linkHint: string;
    readonly linkHeading: string;
    readonly linkText: (minutes: number) => string;
    readonly linkButton: string;
    readonly linkEnded: string;
    readonly unknownAccount: string;
    readonly providerFailed: string;
    readonly tokensHeading: string;
    readonly tokensIntro: string;
    readonly noTokens: string;
    readonly tokenName: string;
    readonly tokenNameHint: string;
    readonly scopes: string;
    readonly expires: string;
    readonly expiresHint: string;
    readonly never: string;
    readonly created: string;
    readonly revoke: string;
    readonly revoked: string;
    readonly make: string;
    readonly newHeading: string;
    readonly madeHeading: string;
    readonly madeText: string;
    readonly signedInAs: string;
    readonly roles: string;
    readonly roleNames: Readonly<Record<string, string>>;
  };
};
