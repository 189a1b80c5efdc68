// Languages of a MARC 21 record (041, 008): the MARC code list is that of ISO 639-2 in its bibliographic form; other
// languages are written as ISO 639-3.
import { shippedEntry } from "../../assets/vocabularies/index.ts";
import { languageOf } from "../../model/metadata/language-codes.ts";
import type { Metadata } from "../../model/metadata/metadata.ts";
import { own } from "../../shared/objects.ts";
import { unique } from "../export-values.ts";
import { type DataField, each, field } from "./fields.ts";

/** Codes of ISO 639-3 whose MARC code is another. */
const MARC_CODES: Readonly<Record<string, string>> = {
  bod: "tib",
  ces: "cze",
  cym: "wel",
  deu: "ger",
  ell: "gre",
  eus: "baq",
  fas: "per",
  fra: "fre",
  hye: "arm",
  isl: "ice",
  kat: "geo",
  mkd: "mac",
  mri: "mao",
  msa: "may",
  mya: "bur",
  nld: "dut",
  ron: "rum",
  slk: "slo",
  sqi: "alb",
  zho: "chi",
};

/** Several languages, and no words: codes of the MARC list too. */
const OTHERS = new Set(["mul", "und", "zxx"]);

/** The MARC code of a language; null for one without a known code in the MARC list. */
export function marcLanguage(written: string): string | null {
  const code = languageOf(written);
  if (OTHERS.has(code)) return code;
  const hasShort = (shippedEntry("languages", code)?.props.alpha_2 ?? "") !== "";
  return own(MARC_CODES, code) ?? (hasShort ? code : null);
}

/** Codes of the list in one field, others in one that names their source. */
export function languageFields({ languages, originalLanguages }: Metadata): readonly DataField[] {
  const codes = (list: readonly string[]) => unique(list.flatMap((each) => marcLanguage(each) ?? []));
  const rare = unique(
    languages.map(languageOf).filter((code) => marcLanguage(code) === null && /^[a-z]{3}$/.test(code)),
  );
  const originals = codes(originalLanguages);
  return [
    ...field("041", originals.length > 0 ? "1 " : "  ", [...each("a", codes(languages)), ...each("h", originals)]),
    ...(rare.length === 0 ? [] : field("041", " 7", [...each("a", rare), ["2", "iso639-3"]])),
  ];
}
