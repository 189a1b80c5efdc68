// Words of the judged set: what items are about, in four languages. A line of a topic has its terms in English,
// Japanese, German and French; the terms of one topic are related, and none is a translation that a search could know.

const LANGUAGES = ["en", "ja", "de", "fr"] as const;
export type Language = (typeof LANGUAGES)[number];

export type WordedList = Readonly<Record<Language, readonly string[]>>;

const TOPIC_LINES = `
coastal fisheries; fish stock; trawling | 沿岸漁業; 水産資源; 底引網漁 | Küstenfischerei; Fischbestand; Schleppnetz | pêche côtière; stock de poissons; chalutage
climate change; global warming; greenhouse gas | 気候変動; 地球温暖化; 温室効果ガス | Klimawandel; Erderwärmung; Treibhausgas | changement climatique; réchauffement planétaire; gaz à effet de serre
institutional repository; open access; self-archiving | 機関リポジトリ; オープンアクセス; 学術情報流通 | Hochschulrepositorium; freier Zugang; Selbstarchivierung | archive institutionnelle; libre accès; auto-archivage
whale migration; humpback whale; marine mammal | クジラの回遊; ザトウクジラ; 海棲哺乳類 | Walwanderung; Buckelwal; Meeressäuger | migration des baleines; baleine à bosse; mammifère marin
earthquake hazard; fault rupture; seismic wave | 地震災害; 断層破壊; 地震波 | Erdbebengefahr; Bruchfläche; Erdbebenwelle | risque sismique; rupture de faille; onde sismique
medieval manuscript; palaeography; illuminated initial | 中世写本; 古文書学; 装飾頭文字 | mittelalterliche Handschrift; Paläographie; Zierinitiale | manuscrit médiéval; paléographie; lettrine enluminée
solar cell; perovskite film; photovoltaic efficiency | 太陽電池; ペロブスカイト膜; 変換効率 | Solarzelle; Perowskitschicht; Wirkungsgrad | cellule solaire; film de pérovskite; rendement photovoltaïque
nursing care; elderly patient; dementia | 介護; 高齢患者; 認知症 | Krankenpflege; ältere Patienten; Demenz | soins infirmiers; patient âgé; démence
rice cultivation; paddy field; irrigation | 稲作; 水田; 灌漑 | Reisanbau; Reisfeld; Bewässerung | riziculture; rizière; irrigation
machine translation; neural network; parallel corpus | 機械翻訳; ニューラルネットワーク; 対訳コーパス | maschinelle Übersetzung; neuronales Netz; Parallelkorpus | traduction automatique; réseau de neurones; corpus parallèle
coral reef; bleaching; symbiotic algae | サンゴ礁; 白化現象; 褐虫藻 | Korallenriff; Ausbleichung; Symbiosealge | récif corallien; blanchissement; algue symbiotique
volcanic ash; magma chamber; eruption | 火山灰; マグマ溜まり; 噴火 | Vulkanasche; Magmakammer; Ausbruch | cendre volcanique; chambre magmatique; éruption
labour migration; guest worker; remittance | 労働移民; 外国人労働者; 送金 | Arbeitsmigration; Gastarbeiter; Geldüberweisung | migration de travail; travailleur immigré; transfert de fonds
folk song; oral tradition; ballad | 民謡; 口承文芸; 語り物 | Volkslied; mündliche Überlieferung; Ballade | chanson populaire; tradition orale; ballade
groundwater; aquifer; nitrate pollution | 地下水; 帯水層; 硝酸汚染 | Grundwasser; Grundwasserleiter; Nitratbelastung | eau souterraine; aquifère; pollution aux nitrates
children's literature; picture book; fairy tale | 児童文学; 絵本; 昔話 | Kinderliteratur; Bilderbuch; Märchen | littérature enfantine; album illustré; conte de fées
deep-sea vent; hydrothermal fluid; tube worm | 深海熱水; 熱水噴出孔; チューブワーム | Tiefseequelle; Hydrothermalfluid; Röhrenwurm | source hydrothermale; fluide profond; ver tubicole
tax reform; income inequality; welfare state | 税制改革; 所得格差; 福祉国家 | Steuerreform; Einkommensungleichheit; Sozialstaat | réforme fiscale; inégalité des revenus; État-providence
cancer therapy; tumour growth; chemotherapy | がん治療; 腫瘍増殖; 化学療法 | Krebstherapie; Tumorwachstum; Chemotherapie | traitement du cancer; croissance tumorale; chimiothérapie
wooden temple; roof construction; carpentry | 木造寺院; 屋根構造; 大工技術 | Holztempel; Dachkonstruktion; Zimmerei | temple en bois; charpente; menuiserie
forest fire; fuel load; wildfire smoke | 森林火災; 可燃物; 煙害 | Waldbrand; Brandlast; Rauchbelastung | feu de forêt; charge combustible; fumée d'incendie
dialect; vowel length; pitch accent | 方言; 母音の長さ; 高低アクセント | Mundart; Vokallänge; Tonhöhenakzent | dialecte; longueur vocalique; accent de hauteur
quantum computing; qubit; error correction | 量子計算; 量子ビット; 誤り訂正 | Quantenrechner; Quantenbit; Fehlerkorrektur | calcul quantique; bit quantique; correction d'erreurs
bird song; nesting site; sparrow | 鳥のさえずり; 営巣地; スズメ | Vogelgesang; Nistplatz; Sperling | chant d'oiseau; site de nidification; moineau
silk trade; merchant guild; caravan route | 絹貿易; 商人組合; 隊商路 | Seidenhandel; Kaufmannsgilde; Karawanenweg | commerce de la soie; guilde marchande; route caravanière
vaccination; influenza; herd immunity | ワクチン接種; インフルエンザ; 集団免疫 | Impfung; Grippe; Herdenimmunität | vaccination; grippe; immunité collective
bridge design; steel cable; fatigue crack | 橋梁設計; 鋼ケーブル; 疲労亀裂 | Brückenentwurf; Stahlseil; Ermüdungsriss | conception de ponts; câble d'acier; fissure de fatigue
school bullying; classroom climate; teacher training | いじめ; 学級風土; 教員養成 | Mobbing; Klassenklima; Lehrerbildung | harcèlement scolaire; climat de classe; formation des enseignants
black hole; accretion disc; gravitational wave | ブラックホール; 降着円盤; 重力波 | Schwarzes Loch; Akkretionsscheibe; Gravitationswelle | trou noir; disque d'accrétion; onde gravitationnelle
tea ceremony; lacquerware; ceramics | 茶の湯; 漆器; 陶磁器 | Teezeremonie; Lackkunst; Keramik | cérémonie du thé; laque; céramique
soil erosion; hillslope; sediment | 土壌侵食; 斜面; 堆積物 | Bodenerosion; Hang; Sediment | érosion du sol; versant; sédiment
public library; reading habit; lending service | 公共図書館; 読書習慣; 貸出サービス | öffentliche Bücherei; Lesegewohnheit; Ausleihe | bibliothèque publique; habitude de lecture; service de prêt
gut microbiome; probiotic; dietary fibre | 腸内細菌; プロバイオティクス; 食物繊維 | Darmflora; Probiotikum; Ballaststoff | microbiote intestinal; probiotique; fibre alimentaire
urban planning; street market; public housing | 都市計画; 露店市; 公営住宅 | Stadtplanung; Straßenmarkt; sozialer Wohnungsbau | urbanisme; marché de rue; logement social
glacier retreat; ice core; permafrost | 氷河後退; 氷床コア; 永久凍土 | Gletscherschwund; Eiskern; Dauerfrostboden | recul glaciaire; carotte de glace; pergélisol
copyright law; fair use; licence agreement | 著作権法; 公正利用; 利用許諾 | Urheberrecht; Zitatrecht; Lizenzvertrag | droit d'auteur; usage loyal; contrat de licence
`;

const ASPECT_LINES = `
impacts; effects on society | 影響 | Auswirkungen | impacts
history; historical development | 歴史 | Geschichte | histoire
conservation; protection | 保全 | Erhaltung | conservation
numerical modelling; simulation | 数値モデル | Modellierung | modélisation
long-term monitoring; observation | 長期観測 | Langzeitbeobachtung | surveillance
economic value; costs | 経済的価値 | wirtschaftlicher Wert | valeur économique
terminology; definition | 用語 | Terminologie | terminologie
spatial distribution; mapping | 分布 | räumliche Verteilung | répartition spatiale
teaching; education | 教育 | Unterricht | enseignement
governance; policy | 政策 | Politik | gouvernance
statistical survey; questionnaire | 統計調査 | Umfrage | enquête statistique
gender; women | ジェンダー | Geschlechterrollen | genre
photographic archive; images | 写真資料 | Fotoarchiv | fonds photographique
seasonal variation; annual cycle | 季節変動 | jahreszeitliche Schwankung | variation saisonnière
future prospects; challenges | 将来展望 | Zukunftsaussichten | perspectives
measurement; sensor | 計測 | Messung | mesure
`;

const PLACE_LINES = `
Norway | ノルウェー | Norwegen | Norvège
Hokkaido | 北海道 | Hokkaido | Hokkaïdo
Brittany | ブルターニュ | Bretagne | Bretagne
Saxony | ザクセン | Sachsen | Saxe
Okinawa | 沖縄 | Okinawa | Okinawa
Lake Biwa | 琵琶湖 | Biwa-See | lac Biwa
Iceland | アイスランド | Island | Islande
Kyoto | 京都 | Kyoto | Kyoto
Bavaria | バイエルン | Bayern | Bavière
Quebec | ケベック | Quebec | Québec
Vietnam | ベトナム | Vietnam | Viêt Nam
the Baltic Sea | バルト海 | Ostsee | mer Baltique
Tasmania | タスマニア | Tasmanien | Tasmanie
Kagoshima | 鹿児島 | Kagoshima | Kagoshima
Venice | ヴェネツィア | Venedig | Venise
Morocco | モロッコ | Marokko | Maroc
Seto Inland Sea | 瀬戸内海 | Seto-Inlandsee | mer intérieure de Seto
Ghana | ガーナ | Ghana | Ghana
Tohoku | 東北地方 | Tohoku | Tohoku
Switzerland | スイス | Schweiz | Suisse
`;

const rows = (lines: string): readonly WordedList[] =>
  lines
    .trim()
    .split("\n")
    .map((line) => {
      const [en = "", ja = "", de = "", fr = ""] = line.split("|");
      const words = (cell: string): readonly string[] => cell.split(";").map((word) => word.trim());
      return { en: words(en), ja: words(ja), de: words(de), fr: words(fr) };
    });

export const TOPICS = rows(TOPIC_LINES);
export const ASPECTS = rows(ASPECT_LINES);
export const PLACES = rows(PLACE_LINES);

/** Family name, given name. */
export const WESTERN_NAMES: readonly (readonly [family: string, given: string])[] = `
Müller Jürgen;Schröder Anneliese;Weiß Günther;Kühn Sabine;Großmann Björn;O'Connor Siobhán;McAllister Fiona;Lefèvre Hélène
Dupré François;Côté Amélie;Saint-Exupéry Rémi;Nuñez María;García José;Åkesson Göran;Øvergaard Tør;Kowalczyk Łukasz;Novák Jiří
Smith John;Smith Joanna;Johnson Emily;Williamson Peter;Thompson Grace;Bennett Harold;Whitfield Dorothy;Ashworth Neil
Hargreaves Linda;Pemberton Giles;Fairweather Ruth;Oyelaran Babatunde;Nguyen Thi Lan;Rossi Alessandra;Bianchi Carlo;Petrov Ivan
Andersson Karin;van den Berg Pieter;de la Cruz Elena;Mac Gregor Iain;Zimmermann Ute;Hoffmann Klaus;Lambert Odile;Moreau Bastien
`
  .trim()
  .split(/[;\n]/)
  .map((name) => {
    const parts = name.trim().split(" ");
    const at = name.includes("Thi") ? 1 : Math.max(1, parts.length - 1);
    return [parts.slice(0, at).join(" "), parts.slice(at).join(" ")] as const;
  });

/** Family and given name in kanji, in kana and in Latin letters; last other ways of writing the family name. */
export type JapaneseName = {
  readonly kanji: readonly [string, string];
  readonly kana: readonly [string, string];
  readonly latin: readonly [string, string];
  readonly variant: string;
};
export const JAPANESE_NAMES: readonly JapaneseName[] = `
渡邊 健一 ワタナベ ケンイチ Watanabe Kenichi 渡辺;齋藤 由美子 サイトウ ユミコ Saito Yumiko 斎藤;髙橋 誠 タカハシ マコト Takahashi Makoto 高橋
濱田 香織 ハマダ カオリ Hamada Kaori 浜田;澤田 浩二 サワダ コウジ Sawada Koji 沢田;廣瀬 美咲 ヒロセ ミサキ Hirose Misaki 広瀬
國分 隆 コクブ タカシ Kokubu Takashi 国分;櫻井 直子 サクライ ナオコ Sakurai Naoko 桜井;眞鍋 翔太 マナベ ショウタ Manabe Shota 真鍋
藤澤 恵 フジサワ メグミ Fujisawa Megumi 藤沢;小野寺 徹 オノデラ トオル Onodera Toru 小野寺;長谷川 舞 ハセガワ マイ Hasegawa Mai 長谷川
山﨑 大輔 ヤマザキ ダイスケ Yamazaki Daisuke 山崎;嶋田 千尋 シマダ チヒロ Shimada Chihiro 島田;瀧本 和也 タキモト カズヤ Takimoto Kazuya 滝本
大江 信夫 オオエ ノブオ Oe Nobuo 大江;桐生 さくら キリュウ サクラ Kiryu Sakura 桐生;勅使河原 剛 テシガワラ ツヨシ Teshigawara Tsuyoshi 勅使河原
`
  .trim()
  .split(/[;\n]/)
  .map((line) => {
    const [a = "", b = "", c = "", d = "", e = "", f = "", variant = ""] = line.trim().split(" ");
    return { kanji: [a, b], kana: [c, d], latin: [e, f], variant };
  });

/** Ways of writing: what an item has, and what somebody types. Each pair is put into titles of some items. */
export const SPELLINGS: readonly (readonly [written: string, typed: string])[] = `
colour perception|color perception;fibre optics|fiber optics;behaviour analysis|behavior analysis;organisation theory|organization theory
labor unions|labour unions;theater design|theatre design;analyzing catalogs|analysing catalogues;aluminum alloys|aluminium alloys
deep-sea drilling|deep sea drilling;deepwater sharks|deep-water sharks;e-learning platforms|elearning platforms;COVID-19 testing|covid19 testing
time-series forecasting|timeseries forecasting;data set curation|dataset curation;Alzheimer's disease|alzheimers disease;Parkinson's tremor|Parkinson tremor
Müllerian mimicry|Muellerian mimicry;Schrödinger equation|Schroedinger equation;naïve realism|naive realism;Gödel numbering|Goedel numbering
children’s drawings|children's drawings;CO₂ capture|CO2 capture;H₂O clusters|H2O clusters;TiO₂ coatings|TiO2 coatings
institutional repositories|institutional repository;women writers|woman writers;studies of mice|study of mouse;analyses of matrices|analysis of matrix
mapping species|species maps;teaching chemistry|teach chemistry;migrating butterflies|butterfly migration;fisheries biologist|fishery biologists
Fünfjahresplan|Fuenfjahresplan;Straßenbahn|Strassenbahn;Bibliotheken im Wandel|Bibliothek im Wandel;Häuser aus Lehm|Haus aus Lehm
chevaux de trait|cheval de trait;œuvres complètes|oeuvres completes;l'hôpital psychiatrique|hopital psychiatrique;journaux régionaux|journal regional
`
  .trim()
  .split(/[;\n]/)
  .map((pair) => {
    const [written = "", typed = ""] = pair.split("|");
    return [written, typed] as const;
  });

/** The same for Japanese: kana, width, long vowels, old and new forms. */
export const JAPANESE_SPELLINGS: readonly (readonly [written: string, typed: string])[] = `
クジラの生態|くじらの生態;イルカの音声|いるかの音声;りんご栽培|リンゴ栽培;ヴァイオリン製作|バイオリン製作;ヴェトナム戦争|ベトナム戦争
コンピューターの歴史|コンピュータの歴史;サーバー管理|サーバ管理;データベース設計|ﾃﾞｰﾀﾍﾞｰｽ設計;インターフェース評価|インタフェース評価
國學院の蔵書|国学院の蔵書;澁澤榮一の書簡|渋沢栄一の書簡;舊制高校|旧制高校;圖書館學|図書館学;龍の意匠|竜の意匠;醫學史|医学史
ＤＮＡ解析|DNA解析;１９世紀絵画|19世紀絵画;ウィーン世紀末|ウイーン世紀末;ダイヤモンド薄膜|ダイアモンド薄膜;バイオリズム|ばいおりずむ
子どもの遊び|子供の遊び;取り扱い説明|取扱説明;申し込み手続き|申込手続;打ち合わせ記録|打合せ記録;癌の疫学|がんの疫学;ねずみ算|ネズミ算
一ヶ月の記録|一か月の記録;関ヶ原合戦|関ケ原合戦;茨城縣史|茨城県史;臺灣総督府|台湾総督府;萬葉集註釈|万葉集注釈;辨証法|弁証法
`
  .trim()
  .split(/[;\n]/)
  .map((pair) => {
    const [written = "", typed = ""] = pair.split("|");
    return [written, typed] as const;
  });
