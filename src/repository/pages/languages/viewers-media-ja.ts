// Japanese texts of the pages that show pictures, sound, film and maps (R49).
import type { viewersMediaEn } from "./viewers-media-en.ts";

const { format: number } = new Intl.NumberFormat("ja-JP");

export const viewersMediaJa: typeof viewersMediaEn = {
  /** The viewers by name. */
  viewers: { picture: "画像", player: "再生", map: "地図" },
  picture: "画像",
  zoom: "拡大・縮小",
  zoomIn: "拡大",
  zoomOut: "縮小",
  fit: "ページの幅に合わせる",
  full: "原寸",
  pixels: (width: number, height: number) => `${number(width)} × ${number(height)} ピクセル`,
  drawing: "ピクセル数の定まらない図",
  manifest: "この資料のすべての画像（IIIFマニフェスト）",
  mayNotPlay: "再生できるかどうかはブラウザーによります。再生できない場合はダウンロードしてください。",
  noCaptions: "字幕はありません。",
  captions: "字幕",
  transcript: "文字起こし",
  cutTranscript: (shown: number) => `最初の${number(shown)}件の字幕だけを表示しています。全体はファイルにあります。`,
  mapOf: (count: number) => `${number(count)}件の地物の地図`,
  extent: (box: string) => `西端、南端、東端、北端（度）：${box}。`,
  scale: "中央の緯度での縮尺",
  places: (count: number, positions: number) => `地物${number(count)}件、座標${number(positions)}点。`,
  simplified: (tolerance: string) => `${tolerance}より近い座標は一点として描いています。`,
  cutMap: "量が多いため、すべては描いていません。",
  cutFeatures: (shown: number) => `最初の${number(shown)}件の地物だけを描いています。`,
  strayed: (count: number) => `度の範囲にない座標${number(count)}点を除いています。`,
  features: (shown: number, count: number) =>
    shown === count ? "地物とその属性" : `最初の${number(shown)}件の地物とその属性`,
  feature: "地物",
  geometry: "形状",
  nowhere: "なし",
  kinds: {
    Point: "点",
    MultiPoint: "点（複数）",
    LineString: "線",
    MultiLineString: "線（複数）",
    Polygon: "面",
    MultiPolygon: "面（複数）",
    GeometryCollection: "集合",
  },
};
