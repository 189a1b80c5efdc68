// The words of the demonstration, in English and Japanese: fields of research with what is studied in them, invented
// places, people and institutions. Nobody and nothing of these exists.

export type Words = { readonly en: string; readonly ja: string };

const words = (en: string, ja: string): Words => ({ en, ja });

export type Field = {
  readonly slug: string;
  readonly name: Words;
  /** What is studied. */
  readonly things: readonly Words[];
  /** What about it. */
  readonly aspects: readonly Words[];
  readonly methods: readonly Words[];
};

export const FIELDS: readonly Field[] = [
  {
    slug: "rivers-and-lakes",
    name: words("Rivers and lakes", "川と湖"),
    things: [
      words("spring floods", "春の出水"),
      words("lake ice", "湖氷"),
      words("river gravel", "河床の礫"),
      words("groundwater", "地下水"),
      words("reed beds", "葦原"),
    ],
    aspects: [
      words("Daily levels", "日別水位"),
      words("Forty years of change", "四十年の変化"),
      words("Temperature", "水温"),
      words("Memory and rumour", "記憶と伝承"),
    ],
    methods: [
      words("field measurements", "現地観測"),
      words("aerial photographs", "空中写真"),
      words("old diaries", "古い日記"),
    ],
  },
  {
    slug: "plants",
    name: words("Plants and gardens", "植物と庭園"),
    things: [
      words("moss gardens", "苔庭"),
      words("alpine flowers", "高山植物"),
      words("cedar seedlings", "杉の実生"),
      words("street trees", "街路樹"),
      words("seaweed beds", "藻場"),
    ],
    aspects: [
      words("Flowering dates", "開花日"),
      words("Growth", "生長"),
      words("Diversity", "多様性"),
      words("Care and neglect", "手入れと放置"),
    ],
    methods: [words("plot surveys", "区画調査"), words("leaf scans", "葉の画像"), words("herbarium sheets", "標本")],
  },
  {
    slug: "languages",
    name: words("Languages", "言語"),
    things: [
      words("island dialects", "島の方言"),
      words("fishing songs", "舟唄"),
      words("words for snow", "雪の語彙"),
      words("children's counting rhymes", "数え歌"),
      words("place names", "地名"),
    ],
    aspects: [
      words("Accent", "アクセント"),
      words("A first dictionary", "小辞典の試み"),
      words("Borrowing", "借用"),
      words("Silence and pause", "沈黙と間"),
    ],
    methods: [words("recordings", "録音資料"), words("interviews", "聞き取り"), words("school registers", "学籍簿")],
  },
  {
    slug: "old-towns",
    name: words("Old towns", "古い町"),
    things: [
      words("roof tiles", "屋根瓦"),
      words("market squares", "市の広場"),
      words("wooden bridges", "木橋"),
      words("wells", "井戸"),
      words("post stations", "宿駅"),
    ],
    aspects: [
      words("Repair", "修繕"),
      words("A catalogue", "目録"),
      words("Fire and rebuilding", "火災と再建"),
      words("Trade", "交易"),
    ],
    methods: [words("excavation", "発掘調査"), words("measured drawings", "実測図"), words("tax rolls", "年貢帳")],
  },
  {
    slug: "night-sky",
    name: words("The night sky", "夜空"),
    things: [
      words("meteor showers", "流星群"),
      words("variable stars", "変光星"),
      words("moonlight", "月明かり"),
      words("airglow", "大気光"),
      words("light pollution", "光害"),
    ],
    aspects: [
      words("Counts", "計数"),
      words("Brightness", "明るさ"),
      words("A long series", "長期観測"),
      words("Colour", "色"),
    ],
    methods: [
      words("small cameras", "小型カメラ"),
      words("amateur logbooks", "観測日誌"),
      words("a school telescope", "学校の望遠鏡"),
    ],
  },
  {
    slug: "materials",
    name: words("Materials", "材料"),
    things: [
      words("bamboo composites", "竹複合材"),
      words("low-fire ceramics", "低火度陶器"),
      words("recycled glass", "再生ガラス"),
      words("paper fibres", "和紙の繊維"),
      words("thin oxide films", "酸化物薄膜"),
    ],
    aspects: [
      words("Strength", "強度"),
      words("Ageing", "経年劣化"),
      words("Surface", "表面"),
      words("Cost and energy", "費用とエネルギー"),
    ],
    methods: [words("bending tests", "曲げ試験"), words("X-ray images", "X線画像"), words("simulation", "数値計算")],
  },
  {
    slug: "learning",
    name: words("Learning", "学び"),
    things: [
      words("village schools", "村の学校"),
      words("reading aloud", "音読"),
      words("mental arithmetic", "暗算"),
      words("open lectures", "公開講座"),
      words("library use", "図書館の利用"),
    ],
    aspects: [
      words("Attention", "注意"),
      words("A comparison", "比較研究"),
      words("Confidence", "自信"),
      words("Ten years later", "十年後"),
    ],
    methods: [words("classroom notes", "授業記録"), words("questionnaires", "質問紙"), words("letters", "書簡")],
  },
  {
    slug: "coast",
    name: words("Coast and sea", "海岸と海"),
    things: [
      words("tides", "潮汐"),
      words("sand dunes", "砂丘"),
      words("sea birds", "海鳥"),
      words("oyster farms", "牡蠣養殖"),
      words("drift wood", "流木"),
    ],
    aspects: [
      words("Hourly records", "毎時記録"),
      words("Movement", "移動"),
      words("Storm effects", "嵐の影響"),
      words("Names and maps", "名称と地図"),
    ],
    methods: [words("buoys", "ブイ観測"), words("beach walks", "海岸踏査"), words("harbour ledgers", "港湾台帳")],
  },
];

export const PLACES: readonly Words[] = [
  words("the Minasoko valley", "水底谷"),
  words("Kagerou Bay", "陽炎湾"),
  words("the Tsukishiro plateau", "月白高原"),
  words("Amagasumi Island", "天霞島"),
  words("the Larkwell basin", "ラークウェル盆地"),
  words("Brindle Harbour", "ブリンドル港"),
  words("the Hoshikawabe district", "星川辺地区"),
  words("Thistlemoor", "シスルムーア"),
  words("the Yukiwari range", "雪割山地"),
  words("Kazanagi town", "風凪町"),
];

export const INSTITUTIONS: readonly Words[] = [
  words("Hoshikawabe University", "星川辺大学"),
  words("Institute for Slow Observation", "緩観測研究所"),
  words("Tsukishiro Museum of Water", "月白水の博物館"),
  words("Larkwell College", "ラークウェル学院"),
  words("Kagerou Marine Station", "陽炎臨海実験所"),
];

type Name = { readonly family: string; readonly given: string };
export type PersonName = { readonly en: Name; readonly ja: Name };

const JAPANESE_FAMILIES: readonly Words[] = [
  words("Hoshikawabe", "星川辺"),
  words("Amagasumi", "天霞"),
  words("Tsukishirogi", "月白木"),
  words("Yukiwarida", "雪割田"),
  words("Kazanagi", "風凪"),
  words("Minasokono", "水底野"),
  words("Asagirihara", "朝霧原"),
  words("Hotarubashi", "蛍橋"),
];
const JAPANESE_GIVEN: readonly Words[] = [
  words("Haruka", "遥"),
  words("Shin", "真"),
  words("Kiyoko", "清子"),
  words("Tatsuo", "辰夫"),
  words("Nagisa", "渚"),
];
const OTHER_FAMILIES: readonly Words[] = [
  words("Larkwell", "ラークウェル"),
  words("Thistlemoor", "シスルムーア"),
  words("Fennimarsh", "フェニマーシュ"),
  words("Brindlecombe", "ブリンドルコム"),
  words("Oakhollowe", "オークホロウ"),
];
const OTHER_GIVEN: readonly Words[] = [
  words("Ottoline", "オットリン"),
  words("Caspian", "キャスピアン"),
  words("Marisol", "マリソル"),
  words("Ebbe", "エッベ"),
];

function names(families: readonly Words[], given: readonly Words[]): readonly PersonName[] {
  return families.flatMap((family) =>
    given.map((first) => ({
      en: { family: family.en, given: first.en },
      ja: { family: family.ja, given: first.ja },
    })),
  );
}

/** Sixty-one: one whom ORCID invented, forty with Japanese names, twenty with others. */
export const CARBERRY = 0;
export const PEOPLE: readonly PersonName[] = [
  { en: { family: "Carberry", given: "Josiah" }, ja: { family: "カーベリー", given: "ジョサイア" } },
  ...names(JAPANESE_FAMILIES, JAPANESE_GIVEN),
  ...names(OTHER_FAMILIES, OTHER_GIVEN),
];

export const FUNDERS: readonly Words[] = [
  words("Foundation for Patient Science", "忍耐科学財団"),
  words("Larkwell Trust", "ラークウェル信託"),
  words("Society of Friends of Water", "水の友の会"),
];

/** Titles of works, by aspect, thing, place and method. */
export const TITLES: readonly ((aspect: Words, thing: Words, place: Words, method: Words) => Words)[] = [
  (aspect, thing, place, method) =>
    words(
      `${aspect.en} of ${thing.en} in ${place.en}: ${method.en}`,
      `${place.ja}における${thing.ja}の${aspect.ja}：${method.ja}から`,
    ),
  (aspect, thing, place) =>
    words(`What ${thing.en} show about ${place.en}: ${lower(aspect.en)}`, `${thing.ja}が語る${place.ja}――${aspect.ja}`),
  (aspect, thing, _, method) =>
    words(
      `${thing.en[0]?.toUpperCase()}${thing.en.slice(1)} by ${method.en}: ${lower(aspect.en)}`,
      `${method.ja}による${thing.ja}の${aspect.ja}`,
    ),
  (aspect, thing, place) =>
    words(
      `Notes on ${thing.en} near ${place.en} (${lower(aspect.en)})`,
      `${place.ja}付近の${thing.ja}覚え書き（${aspect.ja}）`,
    ),
];

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

export function abstractOf(aspect: Words, thing: Words, place: Words, method: Words, years: number): Words {
  return words(
    `For ${years} years we have followed ${thing.en} in ${place.en} with ${method.en}. This work describes how the data were made, what they show of "${lower(aspect.en)}", and where they must not be trusted. The most regular pattern follows the seasons; the exceptions are listed with their days. Everything that is needed to repeat the work is among the files.`,
    `${place.ja}において${years}年間、${method.ja}により${thing.ja}を調べた。本資料は、データの作り方、「${aspect.ja}」について分かったこと、そして信頼できない部分を述べる。最も規則的な変動は季節によるものであり、例外はその日付とともに一覧にした。再現に必要なものはすべてファイルに含まれている。`,
  );
}
