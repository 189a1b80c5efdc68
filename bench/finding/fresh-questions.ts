// Questions by someone who had read some of the items and nothing of the search: neither its rules, nor its tests, nor
// the judged set. They were written, each with what it wants, before any of them was asked; they are not tuned for, and
// no question is mended to be found. A line is what a person types, a bar, and what they want: every part between
// semicolons is in the item's title, people, date or identifiers (`newest`: of those the two newest).
import type { Metadata } from "../../src/model/metadata/metadata.ts";
import type { FoundItem } from "./finding-world.ts";
import type { JudgedQuery } from "./judged-set.ts";

export type FreshQuestion = Omit<JudgedQuery, "language">;

const NEWEST = 2;
const WANTED = 3;

const LINES = `
# question, English
What is known about the future of bird song around Lake Biwa? | Future prospects of bird song in Lake Biwa
how much are the fish stocks of Lake Biwa worth | Economic value of fish stock in Lake Biwa
Does global warming show up in old photographs from Hokkaido? | Global warming in Hokkaido: photographic archive
is there a study on how caravan routes affected the Lake Biwa area | Lake Biwa and its caravan route. A study of impacts
who has written about training teachers in Switzerland? | Switzerland and its teacher training
I'm looking for something about gender and symbiotic algae in Hokkaido | Hokkaido and its symbiotic algae. A study of gender
What do we know about the economic value of whales that migrate past Kagoshima? | Kagoshima and its whale migration. A study of economic value
How should one teach quantum computing in Switzerland? | Teaching of quantum computing in Switzerland
which dataset describes irrigation in Hokkaido | Irrigation in Hokkaido: statistical survey
can you show me a statistical survey of medieval manuscripts from Morocco | Medieval manuscript in Morocco: statistical survey
where can I find photos of nesting sites in Switzerland | Switzerland and its nesting site. A study of photographic archive
What are the impacts of permafrost in Quebec? | On the impacts of permafrost: evidence from Quebec
How can Alzheimer's disease be taught at Lake Biwa? | Teaching of Alzheimer's disease in Lake Biwa
Why does Vietnam's hydrothermal fluid have to do with gender? | Hydrothermal fluid in Vietnam: gender
do migrating butterflies need conservation in Iceland | Iceland and its migrating butterflies. A study of conservation
what has been published on vaccination in Tohoku and what is its future | Tohoku and its vaccination. A study of future prospects
# half-remembered title, English
biwa caravan route impact study | Lake Biwa and its caravan route. A study of impacts
Switzerland & paddy fields modelling | Switzerland and its paddy field. A study of numerical modelling
self archiving Seto economic | Seto Inland Sea and its self-archiving. A study of economic value
modelling caravan routes bavaria | Numerical modelling of caravan route in Bavaria
terminology nesting sites morocco | Morocco and its nesting site. A study of terminology
whale monitoring kyoto long term | Whale migration in Kyoto: long-term monitoring
photo archive of permafrost (Bavaria) | Photographic archive of permafrost in Bavaria
humpback whales Ghana distribution | Ghana and its humpback whale. A study of spatial distribution
"open access" seto conservation | On the conservation of open access: evidence from Seto Inland Sea
women writer governance kyoto | Kyoto and its women writers. A study of governance
mapping of species in Brittany | Mapping species in Brittany: spatial distribution
mouse studies Kagoshima governance | Studies of mice in Kagoshima: governance
matrix analysis, Hokkaido, terminology | Hokkaido and its analyses of matrices. A study of terminology
# spelling, English
dietary fiber kagoshima history | Kagoshima and its dietary fibre. A study of history
labor migration hokkaido conservation | On the conservation of labour migration: evidence from Hokkaido
labour unions in Venice teaching | Teaching of labor unions in Venice
theatre design Ghana | Theater design in Ghana: history
aluminium alloys Bavaria seasonal | Bavaria and its aluminum alloys. A study of seasonal variation
analysing catalogues norway | Analyzing catalogs in Norway: history
organization theory lake biwa photos | Photographic archive of organisation theory in Lake Biwa
color perception saxony | Impacts of colour perception in Saxony
behavior analysis kagoshima | Mesure et behaviour analysis. Étude de cas, Kagoshima
fiber optics kyoto | Gouvernance et fibre optics. Étude de cas, Kyoto
license agreement distribution switzerland | On the spatial distribution of licence agreement: evidence from Switzerland
naive realism brittany | Conservation of naïve realism in Brittany
Goedel numbering Morocco | Morocco and its Gödel numbering. A study of governance
oeuvres completes norway | Seasonal variation of œuvres complètes in Norway
Muellerian mimicry | Müllerian mimicry
childrens drawings okinawa | On the history of children’s drawings: evidence from Okinawa
Parkinsons tremor Quebec | On the numerical modelling of Parkinson's tremor: evidence from Quebec
# joined and parted words, formulas
covid 19 testing norway | COVID-19 testing in Norway: history
COVID19 brittany | On the history of COVID-19 testing: evidence from Brittany
elearning platforms morocco governance | Governance of e-learning platforms in Morocco
timeseries forecasting ghana | On the spatial distribution of time-series forecasting: evidence from Ghana
dataset curation venice | On the seasonal variation of data set curation: evidence from Venice
deepsea drilling quebec | Governance of deep-sea drilling in Quebec
deep water sharks kyoto | Kyoto and its deepwater sharks. A study of statistical survey
CO2 capture okinawa | CO₂ capture in Okinawa: measurement
carbon capture CO2 Saxony monitoring | CO₂ capture in Saxony: long-term monitoring
TiO2 coating Ghana measurements | On the measurement of TiO₂ coatings: evidence from Ghana
H2O cluster Norwegen | H₂O clusters in Norwegen: jahreszeitliche Schwankung
# person
Bjorn Moreau bird song | Future prospects of bird song in Lake Biwa
Nguyen, P. (2011). Lake Biwa and its caravan route. | Lake Biwa and its caravan route; Nguyen, Pieter
Overgaard norway governance | Øvergaard, Thi Lan; Chevaux de trait in Norway
Oevergaard Thi Lan chevaux | Øvergaard, Thi Lan; Chevaux de trait in Norway
Lukasz Kowalczyk mimicry | Kowalczyk, Łukasz; Müllerian mimicry: evidence from Kyoto
Akesson fairy tales | Åkesson, Klaus; Hokkaido and its fairy tale
K. Åkesson & G. Åkesson | Åkesson, Klaus; Åkesson, Göran
OConnor illuminated initials okinawa | O'Connor, Siobhán; Terminology of illuminated initial in Okinawa
siobhan o connor terminology | O'Connor, Siobhán; Terminology of illuminated initial in Okinawa
Grossmann Amelie paddy field | Großmann, Amélie; paddy field
jose garcia teacher training | García, José; teacher training
MacGregor colour perception | Mac Gregor, Siobhán; Colour perception (Kyoto)
Mc Allister quantum computing | McAllister, Carlo; quantum computing
vandenberg nesting sites | van den Berg, Pieter; nesting site
Joanna Dupre nesting site | Dupré, Joanna; nesting site
Saint Exupery rupture de faille | Saint-Exupéry, Elena; Rupture de faille (Tohoku)
papers by Emily Grossmann on deep sea drilling | Großmann, Emily; deep-sea drilling
Linda Hargreaves, naive realism in Iceland | Hargreaves, Linda; naïve realism
thi lan nguyen time series | Nguyen, Thi Lan; Time-series forecasting
A. Williamson? no B. Williamson vaccination tohoku | Williamson, Björn; vaccination: evidence from Tohoku
# typing errors
whale migraton Kyoto monitoring | Whale migration in Kyoto: long-term monitoring
phtographic archive vacination biwa | Photographic archive of vaccination in Lake Biwa
groundwater govenance tohoku | Groundwater in Tohoku: governance
medeival manuscripts morroco | Medieval manuscript in Morocco: statistical survey
symbotic algae hokaido | Hokkaido and its symbiotic algae. A study of gender
licence agrement switzerland | licence agreement: evidence from Switzerland
caravn rotue bavaria | Numerical modelling of caravan route in Bavaria
Hargreves Linda licence | Hargreaves, Linda; licence agreement
quantum compting teaching switzerlnad | Teaching of quantum computing in Switzerland
humpbak whale kyoto | Humpback whale in Kyoto: impacts
perma frost switzerland photographs | Permafrost in Switzerland: photographic archive
Kaufmannsgide Tohoku | Kaufmannsgilde in Tohoku
# Japanese, words and questions
ケベックの外国人労働者に関する政策を知りたい | ケベックにおける外国人労働者の政策
外国人労働者　ケベック　政策 | ケベックにおける外国人労働者の政策
熱水噴出孔はザクセンにどんな影響を与えたか | 熱水噴出孔の影響に関する研究：ザクセンを例に
古文書学の将来はどうなりますか | 古文書学の将来展望
氷河の後退とジェンダーの関係 | 氷河後退のジェンダーに関する研究
スイスで著作の利用許諾が与えた影響 | スイスの利用許諾とその影響
地球温暖化 バルト海 統計 | バルト海における地球温暖化の統計調査
口承文芸の統計 ザクセン | 口承文芸の統計調査に関する研究：ザクセンを例に
ヴェトナム戦争の影響について書かれた本はありますか | ベトナムのヴェトナム戦争とその影響
沖縄の地震災害をどう計測するか | 沖縄における地震災害の計測
子供の遊び 用語 ベトナム | ベトナムにおける子どもの遊びの用語
京都の茶の湯の影響 | 茶の湯の影響に関する研究：京都を例に
スイスのいじめ対策の政策 | スイスのいじめとその政策
公共図書館の経済価値 | 公共図書館の経済的価値
アイスランドの昔話の歴史を教えて | アイスランドの昔話とその歴史
# Japanese, variants
図書館学の歴史 ケベック | ケベックにおける圖書館學の歴史
医学史 モロッコ 写真 | 醫學史の写真資料に関する研究：モロッコを例に
弁証法の用語 北海道 | 北海道における辨証法の用語
台湾総督府 沖縄 | 沖縄における臺灣総督府のジェンダー
旧制高校 経済的価値 | バルト海における舊制高校の経済的価値
万葉集注釈 瀬戸内海 | 瀬戸内海の萬葉集註釈とその教育
国学院 蔵書 歴史 | 國學院の蔵書の歴史に関する研究
茨城県史 アイスランド | アイスランドの茨城縣史とその経済的価値
竜の意匠 鹿児島 | 鹿児島における龍の意匠の長期観測
ガンの疫学 モロッコ | モロッコの癌の疫学とその長期観測
ベトナム戦争 北海道 経済的価値 | ヴェトナム戦争の経済的価値に関する研究：北海道を例に
ベネチア 絹貿易 季節変動 | ヴェネツィアにおける絹貿易の季節変動
ベネツィア 学級風土 | ヴェネツィアにおける学級風土の季節変動
バイオリン製作 スイス | ヴァイオリン製作の用語に関する研究：スイスを例に
サーバ管理 ザクセン 用語 | ザクセンのサーバー管理とその用語
コンピュータの歴史 モロッコ | モロッコにおけるコンピューターの歴史の統計調査
インタフェース評価 タスマニア | タスマニアにおけるインターフェース評価の歴史
ブラック・ホール アイスランド | アイスランドのブラックホールとその教育
ﾀﾞｲﾔﾓﾝﾄﾞ薄膜 京都 | 京都; ダイヤモンド薄膜
DNA解析 鹿児島 | ＤＮＡ解析の長期観測に関する研究：鹿児島を例に
19世紀絵画 ヴェネツィア | ヴェネツィアの１９世紀絵画とそのジェンダー
1か月の記録 琵琶湖 | 琵琶湖における一ヶ月の記録の写真資料
一カ月の記録 東北 | 一ヶ月の記録の写真資料に関する研究：東北地方を例に
取扱説明 量子 ヴェネツィア | 取り扱い説明の長期観測に関する研究：ヴェネツィアを例に
申込手続 影響 | ヴェネツィアにおける申し込み手続きの影響
打合せ記録 京都 | 京都の打ち合わせ記録とその将来展望
底びき網漁 ケベック | ケベックにおける底引網漁の経済的価値
すずめ 用語 ガーナ | ガーナにおけるスズメの用語
いるかの音声 計測 | ベトナムにおけるイルカの音声の計測
くじらの生態 ケベック | ケベックのクジラの生態とその写真資料
リンゴ栽培 モロッコ 統計 | モロッコにおけるりんご栽培の統計調査
ネズミ算 沖縄 | 沖縄におけるねずみ算の写真資料
# Japanese, people
渡辺誠 硝酸汚染 | 渡邊, 誠; 硝酸汚染
わたなべまこと 硝酸汚染 | 渡邊, 誠; 硝酸汚染
広瀬信夫 絹貿易 | 廣瀬, 信夫; 絹貿易
高橋浩二　商人組合 | 髙橋, 浩二; 商人組合
斎藤隆 福祉国家 | 齋藤, 隆; 福祉国家
山崎和也 利用許諾 | 山﨑, 和也; 利用許諾
藤沢舞 森林火災 | 藤澤, 舞; 森林火災
Takimoto Takashi 図書館学 | 瀧本, 隆; 圖書館學
コクブサクラ いじめ | 國分, さくら; いじめ
テシガワラ メグミ 琵琶湖 | 勅使河原, 恵; 琵琶湖
Ohe Makoto 氷河後退 | 大江, 誠; 氷河後退
saitoh takashi 福祉国家 | 齋藤, 隆; 福祉国家
長谷川 所得格差 スイス 2011年 | 長谷川, 千尋; スイスの所得格差
Onodera T. and Teshigawara K. Venice | 勅使河原, 浩二; 小野寺, 徹
# German
Welche Geschlechterrollen haben Gastarbeiter in Bayern? | Gastarbeiter in Bayern: Geschlechterrollen
Gibt es Daten zur Vermessung von Zierinitialen in Quebec? | Zierinitiale in Quebec: Messung
Wie schwankt die Einkommensungleichheit auf Hokkaido? | Einkommensungleichheit in Hokkaido: jahreszeitliche Schwankung
Welche Zukunft haben Roehrenwuermer in Ghana | Röhrenwurm in Ghana: Zukunftsaussichten
raeumliche Verteilung Walwanderung Bayern | Walwanderung in Bayern: räumliche Verteilung
Strassenbahn Marokko | Straßenbahn in Marokko: Modellierung
Schleppnetze in Bayern wirtschaftlicher Wert | Wirtschaftlicher Wert und Schleppnetz. Eine Untersuchung aus Bayern
Erdbebengefahr Seto Fotos | Fotoarchiv und Erdbebengefahr. Eine Untersuchung aus Seto-Inlandsee
Schroedinger Gleichung Schweiz | Erhaltung und Schrödinger equation. Eine Untersuchung aus Schweiz
Muller Jurgen Strassenbahn | Müller, Jürgen; Straßenbahn
Kuehn Babatunde Sachsen | Kühn, Babatunde; Sachsen
Vogel-Gesang Tasmanien | Vogelgesang in Tasmanien
Demenz messen Kyoto | Demenz in Kyoto: Messung
Haeuser aus Lehm Tohoku | Unterricht und Häuser aus Lehm. Eine Untersuchung aus Tohoku
Bibliotheken im Wandel Ostsee | Bibliotheken im Wandel in Ostsee
Gletscherschwund Seto Inlandsee Verteilung | Räumliche Verteilung und Gletscherschwund. Eine Untersuchung aus Seto-Inlandsee
Funfjahresplan Kagoshima | Modélisation et Fünfjahresplan. Étude de cas, Kagoshima
# French
rechauffement planetaire mer baltique | Réchauffement planétaire (mer Baltique)
Quelle est l'histoire de l'érosion du sol au Maroc ? | Érosion du sol (Maroc) : histoire
contes de fees enseignement baltique | Enseignement et conte de fées. Étude de cas, mer Baltique
etude sur la rupture de faille a Tohoku | Rupture de faille (Tohoku)
câbles d’acier en Norvège et leur histoire | Câble d'acier (Norvège) : histoire
autoarchivage Viet Nam | Auto-archivage (Viêt Nam) : modélisation
Comment mesure-t-on les disques d'accretion à Okinawa ? | Mesure et disque d'accrétion. Étude de cas, Okinawa
sites de nidification suisse photographies | Site de nidification (Suisse) : fonds photographique
manuscrits medievaux suisse | Manuscrit médiéval (Suisse)
charpente vietnam saison | Variation saisonnière et charpente. Étude de cas, Viêt Nam
Francois Nguyen calcul quantique | Nguyen, François; Calcul quantique
fumées d’incendie au Maroc | Fumée d'incendie (Maroc)
routes caravanieres mer de Seto | Terminologie et route caravanière. Étude de cas, mer intérieure de Seto
hopital psychiatrique kyoto | Governance of l'hôpital psychiatrique in Kyoto
journaux regionaux Maroc ou Morocco | Journaux régionaux in Morocco
# identifiers
doi.org/10.5072/bull.2016.58187 | 10.5072/bull.2016.58187
DOI: 10.5072/jrnl.2014.34197. | 10.5072/jrnl.2014.34197
10.5072/BULL.2013.53573 | 10.5072/bull.2013.53573
http://dx.doi.org/10.5072%2Fdata.2021.46971 | 10.5072/data.2021.46971
https://doi.org/10.5072/jrnl.2019.76500?utm_source=mail | 10.5072/jrnl.2019.76500
info:doi/10.5072/data.2011.47341 | 10.5072/data.2011.47341
１０．５０７２／ｊｒｎｌ．２０１２．６４８１１ | 10.5072/jrnl.2012.64811
<https://doi.org/10.5072/data.2002.91853> | 10.5072/data.2002.91853
ISBN 978-9-285-76447-0 | 9789285764470
ISBN-13: 978 8114936644 | 9788114936644
8535773827 | 9788535773828
isbn:9784312589729 | 9784312589729
https://orcid.org/0000-0001-1409-4501/ | 0000-0001-1409-4501
ORCID 0000 0001 1447 5531 | 0000-0001-1447-5531
000000021524736X | 0000-0002-1524-736X
https://n2t.net/ark:/99999/fk4x14q | Future prospects of bird song in Lake Biwa
ark:99999/fk4-xx-j4 | Chevaux de trait in Norway: governance
TR 1998 737 | TR-1998-737
RIMS2020-932 | RIMS-2020-932
wp-2004-984 | WP-2004-984
NDL 2020/755 | NDL-2020-755
# year, type and topic
bird song lake biwa 2019 | 2019; Future prospects of bird song in Lake Biwa
fish stock dataset 2021 | 2021-; fish stock in Lake Biwa
2017 nitrate pollution brittany | Brittany and its nitrate pollution
gut microbiome thesis Switzerland 1996 | Future prospects of dietary fibre in Switzerland
2024年 がん治療 沖縄 | 沖縄のがん治療とその数値モデル
humpback whale article from 2021 | 2021-; humpback whale. A study of terminology
newest work on permafrost | newest; permafrost
latest research about vaccination | newest; vaccination
most recent tea ceremony publications | newest; tea ceremony
最新の地震災害の研究 | newest; 地震災害
# two topics
bird song and children's literature | Future prospects of bird song in Lake Biwa
fault rupture AND income inequality | Chevaux de trait in Norway: governance
perovskite film / coral reef / gender | Hokkaido and its symbiotic algae. A study of gender
comparison between nitrate pollution and palaeography | Brittany and its nitrate pollution
営巣地と教育、鹿児島のデータ | 営巣地の教育に関する研究：京都を例に
民謡と公正利用の違い | ガーナの取り扱い説明とその影響
# a model calling the tool
Ivan Fairweather Straßenbahn Saxony seasonal variation | Saxony and its Straßenbahn
records about whale migration (Kagoshima) with focus on economics | Kagoshima and its whale migration. A study of economic value
hydrothermal fluid Kyoto measurement Novák book 2013 | Kyoto and its hydrothermal fluid. A study of measurement
climate change 気候変動 沖縄 歴史 | 沖縄における気候変動の歴史
title:"tube worm" OR "Röhrenwurm" Ghana | Röhrenwurm in Ghana: Zukunftsaussichten
Find publications on institutional repositories terminology in Morocco by Dupré | Morocco and its institutional repository. A study of terminology
volcanic ash mapping species Brittany Hoffmann | Mapping species in Brittany: spatial distribution
deepwater sharks terminology Tasmania dataset | Deepwater sharks in Tasmania: terminology
`;

/** What of an item a person could have in mind. */
function factsOf({ titles, creators, contributors, publicationDate, identifiers }: Metadata): string {
  const people = [...creators, ...contributors];
  return [
    ...titles.map(({ value }) => value),
    ...people.flatMap((person) => (person.kind === "personal" ? person.names : [])).map(nameOf),
    ...people.flatMap(({ ids }) => ids.map(({ value }) => value)),
    publicationDate ?? "",
    ...identifiers.map(({ value }) => value),
  ]
    .join("\n")
    .toLowerCase();
}

const nameOf = ({ family, given }: { readonly family?: string | null; readonly given?: string | null }): string =>
  `${family ?? ""}, ${given ?? ""}`;

function wantedOf(parts: readonly string[], items: readonly FoundItem[]): readonly FoundItem[] {
  const [first, ...others] = parts;
  if (first === "newest") {
    const date = ({ metadata }: FoundItem): string => metadata.publicationDate ?? "";
    return [...wantedOf(others, items)].sort((a, b) => date(b).localeCompare(date(a))).slice(0, NEWEST);
  }
  return items.filter(({ metadata }) => {
    const facts = factsOf(metadata);
    return parts.every((part) => facts.includes(part.toLowerCase()));
  });
}

/** The questions over the items of the judged set. @throws RangeError when no item is what a question wants. */
export function freshQuestions(items: readonly FoundItem[]): readonly FreshQuestion[] {
  let kind = "";
  return LINES.trim()
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith("# ")) {
        kind = line.slice(2);
        return [];
      }
      const [text = "", wanted = ""] = line.split(" | ");
      const found = wantedOf(wanted.split("; "), items);
      if (found.length === 0) throw new RangeError(`No item is what the question wants: ${JSON.stringify(line)}`);
      return { kind, text, grades: new Map(found.map(({ id }) => [id, WANTED])) };
    });
}
