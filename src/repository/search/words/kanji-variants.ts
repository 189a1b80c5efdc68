// Characters that are written in several ways in one and the same word (R27). Each group begins with the character that
// the index has for all of it; the others are replaced by it, in items and in queries alike. Our table, from public
// facts: the forms in brackets of the list of characters for general use (Cabinet notice 2 of 2010), the
// forms for names (annex 2 of the regulation of the Family Register Act), the simplified forms of the list of printed
// forms (National Language Council, 2000), the replacements of 1956, and the forms of family names and places that
// registers and bibliographies have. Compatibility characters (U+F900 and the like) are left to NFKC.

/** The old forms of characters for general use, and characters that were merged with them. */
const OLD_FORMS = `亜亞 悪惡 圧壓 囲圍 医醫 為爲 壱壹 隠隱 栄榮 営營 衛衞 駅驛 円圓 塩鹽 縁緣 艶艷豔 応應 欧歐 殴毆 桜櫻
奥奧 横橫 温溫 穏穩 仮假 価價 画畫劃 会會 絵繪 壊壞 懐懷 概槪 拡擴 殻殼 覚覺 学學斈 岳嶽 楽樂 渇渴 缶罐 巻卷 陥陷 勧勸
寛寬 関關 歓歡 観觀 気氣 帰歸 偽僞 戯戲 犠犧 旧舊 拠據 挙擧舉 虚虛 峡峽 挟挾 狭狹 郷鄕鄉 暁曉 区區 駆驅 勲勳 薫薰 径徑
茎莖 恵惠 掲揭 渓溪谿 経經 蛍螢 軽輕 継繼 鶏鷄雞 芸藝 撃擊 欠缺 研硏 県縣 倹儉 剣劍劒劔釼 険險 圏圈 検檢 献獻 権權 顕顯
験驗 厳嚴 広廣 効效 恒恆 黄黃 鉱鑛礦 号號 国國圀囯 黒黑 砕碎 済濟 斎齋齊斉齎 剤劑 雑雜襍 参參 桟棧 蚕蠶 惨慘 賛贊 残殘
糸絲 歯齒 児兒 辞辭 湿濕溼 実實 写寫冩 釈釋 寿壽 収收 従從 渋澁澀 獣獸 縦縱 粛肅 処處 緒緖 叙敍敘 将將 称稱 渉涉 焼燒
証證 奨奬獎 条條 状狀 乗乘 浄淨 剰剩 畳疊疉 縄繩 壌壤 嬢孃 譲讓 醸釀 触觸 嘱囑 真眞 寝寢 慎愼 尽盡 図圖 粋粹 酔醉 穂穗
随隨 髄髓 枢樞 数數 瀬瀨 声聲 静靜 窃竊 摂攝 専專 浅淺 戦戰 践踐 銭錢 潜潛 繊纖 禅禪 双雙 壮壯 争爭 荘莊 捜搜 挿插 巣巢
曽曾 痩瘦 装裝 総總 騒騷 増增 蔵藏 臓臟 即卽 属屬 続續 堕墮 対對 体體躰軆 帯帶 滞滯 台臺坮 滝瀧 択擇 沢澤 担擔 単單
胆膽 団團 断斷 弾彈 遅遲 痴癡 虫蟲 昼晝 鋳鑄 庁廳 徴徵 聴聽 勅敕 鎮鎭 逓遞 鉄鐵銕鐡 点點 転轉 伝傳 灯燈 当當 党黨 盗盜
稲稻 闘鬭鬪鬥 徳德悳 独獨 読讀 届屆 弐貳 悩惱 脳腦 覇霸 拝拜 廃廢 売賣 梅楳 麦麥 発發 髪髮 抜拔 晩晚 蛮蠻 秘祕 浜濱濵
瓶甁 払拂 仏佛 併倂 並竝 餅餠 辺邊邉 変變 弁辨瓣辯 歩步 宝寶寳 豊豐 褒襃 翻飜 毎每 万萬 満滿 麺麵麪 黙默 弥彌 訳譯 薬藥
与與 予豫 余餘 誉譽 揺搖 様樣 謡謠 来來 頼賴 乱亂 覧覽 竜龍 両兩 猟獵 緑綠 涙淚 塁壘 礼禮 励勵 戻戾 霊靈 齢齡 暦曆 歴歷
恋戀 錬鍊 炉爐 労勞 郎郞 楼樓 録錄 湾灣 亘亙 侠俠 倶俱 凜凛 呉吳 唖啞 嘘噓 噛嚙 尭堯 屏屛 巌巖 彦彥 掴摑 掻搔 撹攪 曳曵
桧檜 槙槇 涛濤 溌潑 焔焰 皐皋 砺礪 祢禰 祷禱 禄祿 穣穰 箪簞 繋繫 繍繡 聡聰 芦蘆 莱萊 葱蔥 蒋蔣 蝋蠟 賎賤 遥遙 醤醬 頬頰
頴穎 鴎鷗 鹸鹼 麹麴 靭靱 兎兔菟 内內 説說 税稅 脱脫 鋭銳 閲閱 悦悅 戸戶 産產 青靑 清淸 教敎 歳歲 査查 呂吕 宮宫 氷冰 汚污
没沒 床牀 脚腳 絶絕 唇脣 群羣 猫貓 煙烟 刹剎 却卻 厠廁 呪咒 粧妝 御禦 楡榆 稜棱 竃竈 贋贗 輌輛 連聯 醗醱 晋晉 沪濾 舎舍
舗鋪舖 蓋葢 姉姊 婿壻聟 鳳鳯 既旣 尚尙 隣鄰 濶闊 暖煖 略畧 窓窗牕 裏裡 歌謌 杯盃 旗籏 州洲
湧涌 恥耻 船舩 館舘 和咊龢 跡迹蹟 韻韵 遊游 嘆歎 個箇 灌潅 砲炮 碍礙 稿稾 稚穉 箸筯 棋碁棊 岩嵒 胸胷 脈脉 腸膓 鎌鐮 頚頸 迩邇
鴬鶯 蝿蠅 薮藪 篭籠 騨驒 諌諫 鯵鰺 蛎蠣 梼檮 桝枡 賍贓 躯軀 雁鴈 鵝鵞 讃讚 珍珎 飾餝 強强 減减 決决 準凖 涼凉 況况
函凾 廻迴 回囘囬 廈厦 厨廚 厩廐 毘毗 携擕攜 懺懴 慚慙 峨峩 弦絃 村邨 仙僊 修脩 註注 燻熏 熙煕凞 耀燿 蘇蘓 綿緜 鬱欝 麁麤`;

/** Forms of family names and places. */
const NAMES = `高髙 吉𠮷 柳栁桺 富冨 桑桒 角⻆ 野埜 淵渕渊 鶴靍靏鸖 橋𣘺 壺壷 島嶋嶌㠀 峰峯 崎﨑嵜碕 松枩 秋穐龝
畑畠 土圡𡈽 卯夘 栃杤 槌鎚 舟舩 喜㐂 塚冢 藤籐 節莭 柿杮 柏栢 矩榘 晃晄 映暎 昂昻 貌皃 善譱 賢贒 鎗槍`;

/** A character of the table, and what replaces it. A form in two groups belongs to the first. */
function replacements(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const group of `${OLD_FORMS} ${NAMES}`.split(/\s+/u)) {
    const [first = "", ...others] = group;
    const standard = found.get(first) ?? first;
    for (const other of others) if (other !== standard && !found.has(other)) found.set(other, standard);
  }
  return found;
}

export const KANJI_VARIANTS: ReadonlyMap<string, string> = replacements();

/** By code unit: the code unit that replaces it; 0: it is left. */
const byUnit = new Uint16Array(2 ** 16);
/** Characters that are two code units: few, and rare. */
const pairs = new Map<string, string>();
for (const [variant, standard] of KANJI_VARIANTS) {
  if (variant.length === 1) byUnit[variant.charCodeAt(0)] = standard.charCodeAt(0);
  else pairs.set(variant, standard);
}
const HAS_PAIR = /[\ud800-\udbff]/;

/** The text with each variant replaced by the first character of its group. */
export function withStandardKanji(text: string): string {
  let all = "";
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const standard = byUnit[text.charCodeAt(at)] ?? 0;
    if (standard === 0) continue;
    all += text.slice(from, at) + String.fromCharCode(standard);
    from = at + 1;
  }
  const replaced = from === 0 ? text : all + text.slice(from);
  return HAS_PAIR.test(replaced)
    ? replaced.replace(/[\ud840-\ud87f][\udc00-\udfff]/g, (pair) => pairs.get(pair) ?? pair)
    : replaced;
}
