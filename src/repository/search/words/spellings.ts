// One spelling for words that are spelled in several ways (R27): British and American English, and umlauts that are
// written as two letters. What comes out is compared and never shown: it need not be a word. Words are folded before
// (tokens.ts), in lower case and without accents.

type Rule = readonly [pattern: RegExp, replacement: string];

/**
 * Oxford English Dictionary and Merriam-Webster, of which the American form is taken. Patterns that hit other words do
 * no harm: both sides are changed alike.
 */
const AMERICAN: readonly Rule[] = [
  [/^(p|orthop|encyclop)aed/, "$1ed"],
  [/(h|an|leuk|isch|glyc|ur|tox)aem/, "$1em"],
  [/anaesth/, "anesth"],
  [/^aesthet/, "esthet"],
  [/^(arch|pal)aeo/, "$1eo"],
  [/^(gyn|f|c)aec/, "$1ec"],
  [/^caes/, "ces"],
  [/^mediaev/, "mediev"],
  [/oestr/, "estr"],
  [/oesoph/, "esoph"],
  [/^oedem/, "edem"],
  [/^foet/, "fet"],
  [/rrhoe/, "rrhe"],
  [/^homoeo/, "homeo"],
  [/manoeuvr/, "maneuver"],
  [
    /(arm|behavi|cand|clam|col|demean|endeav|fav|ferv|flav|glam|harb|hon|hum|lab|neighb|od|parl|ranc|rig|rum|sav|savi|splend|tum|val|vap|vig)our/,
    "$1or",
  ],
  [/^practis/, "practic"],
  [/(?<=[a-z]{3})is(e|ed|es|ing|er|ers|ation|ations|able)$/, "iz$1"],
  [/ys(e|ed|es|ing|er|ers)$/, "yz$1"],
  [/(cent|met|lit|theat|fib|spect|calib|lust|och|nit)re(s?)$/, "$1er$2"],
  [/(cent|theat|calib)red$/, "$1ered"],
  [/(catal|dial|anal|monol|prol|epil)ogue(s?)$/, "$1og$2"],
  [/(catal|dial|anal|monol|prol|epil)ogu(ed|ing|er|ers)$/, "$1og$2"],
  [/^(def|off|lic|pret)ence/, "$1ense"],
  [/^programme(s?)$/, "program$1"],
  [/^grey/, "gray"],
  [/^alumini/, "alumin"],
  [/sulph/, "sulf"],
  [/^plough/, "plow"],
  [/^(s?)mould/, "$1mold"],
  [/^sceptic/, "skeptic"],
  [/^artefact/, "artifact"],
  [/^jeweller/, "jewelr"],
  [/^(fulfil|skilful|wilful)(?!l)/, "$1l"],
  [/^(judg|acknowledg|lodg)ement/, "$1ment"],
  [/^ageing/, "aging"],
  [/^cosy/, "cozy"],
  [/^pyjama/, "pajama"],
  [/^moustache/, "mustache"],
  [/^yoghurt/, "yogurt"],
  [/^connexion/, "connection"],
];

/** DIN 5007-2: ä is ae, ö is oe, ü is ue; folded it is a, o, u. Not after a vowel or q: `neue`, `quelle`; not `guest`. */
const UMLAUTS = /(?<![aeiouq])(?!(?<=g)ues)([aou])e(?=[^aeiou])/g;
const UMLAUT_LETTERS = 5;
const SPELLED = /^[a-z]{4,30}$/;

export function spelled(word: string): string {
  if (!SPELLED.test(word)) return word;
  let american = word;
  for (const [pattern, replacement] of AMERICAN) american = american.replace(pattern, replacement);
  return american.length < UMLAUT_LETTERS ? american : american.replace(UMLAUTS, "$1");
}

/** Letters of the Greek alphabet as names of substances, stars and particles have them (IUPAC 2013, P-16.2). */
export const GREEK_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ α: "alpha", β: "beta", γ: "gamma", δ: "delta", ε: "epsilon", ζ: "zeta", η: "eta", θ: "theta", ι: "iota" },
    ...{ κ: "kappa", λ: "lambda", μ: "mu", ν: "nu", ξ: "xi", ο: "omicron", π: "pi", ρ: "rho", σ: "sigma" },
    ...{ τ: "tau", υ: "upsilon", φ: "phi", χ: "chi", ψ: "psi", ω: "omega" },
  }),
);
