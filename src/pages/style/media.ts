// The same on small screens, with forced colours, without motion, and on paper.

export const MEDIA = `
@media (min-width: 72rem) {
  .bar { flex-wrap: nowrap }
  .bar nav { flex: none; flex-wrap: nowrap; white-space: nowrap }
  .bar .mark { min-width: 8rem; line-height: 1.3 }
  .bar .find { flex: 1 1 9rem; min-width: 9rem }
}
@media (min-width: 46.01rem) {
  .bar:has(.who):has(.find) { display: grid; grid-template-columns: fit-content(50%) minmax(0, 1fr) auto }
  .bar:has(.who) .find { grid-column: 2 / -1; max-width: 40rem }
  .bar:has(.who):has(.find) nav { grid-column: 1 / 3; flex-wrap: wrap }
  .bar:has(.who):has(.find) .langs { grid-column: 3 }
}
@media (max-width: 62rem) { .found { grid-template-columns: minmax(0, 1fr) } }
@media (max-width: 46rem) {
  .bar nav { gap: 0 .9rem }
  .find { max-width: none; flex-basis: 100%; order: 3 }
}
@media (max-width: 36rem) {
  .bar, main, .foot { padding-inline: 1rem }
  dl > div { grid-template-columns: minmax(0, 1fr); gap: .05rem }
  dt { font-size: var(--small) }
  .line .go, .buttons .go { flex: 1 1 auto; text-align: center }
  .group { padding: var(--s3) }
  .stack, .stack caption, .stack tbody, .files, .files tbody { display: block }
  .stack colgroup, .files colgroup { display: none }
  .stack thead, .files thead { position: absolute; inset-inline-start: -999rem }
  .stack tr, .files tr { display: block; border-bottom: var(--thin) solid var(--line); padding: .55rem 0 }
  .stack td, .stack tbody th, .files td, .files td + td { display: block; border: 0; padding: .12rem 0; white-space: normal; text-align: start }
  .combobox .line { flex-wrap: wrap }
}
@media (forced-colors: active) {
  .note, .badge, .chips a, .pages a, .group { border-color: CanvasText }
  .combobox [role=option][aria-selected=true] { background: Highlight; color: HighlightText; forced-color-adjust: none }
  .tabs [aria-current], .pages [aria-current] { border-color: Highlight }
  .go { border-color: ButtonText }
  mark { background: Mark; color: MarkText }
}
@media (prefers-reduced-motion: reduce) { *, ::before, ::after { animation-duration: .001s !important; animation-iteration-count: 1 !important; transition: none !important; scroll-behavior: auto !important } }
@media print {
  :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --edge: #777; --accent: #000; --tint: #fff; --good-tint: #fff; --warn-tint: #fff; --gone-tint: #fff; --good: #000; --warn: #000; --gone: #000 }
  body { font-size: 10.5pt; display: block }
  .bar, main, .foot { max-width: none; padding-inline: 0 }
  .bar nav, .skip, .find, .facets, .ordering, .detailed, .search .line, .tabs, .links, .pages, .buttons, .forms, .rest > summary, form .go, .entry-buttons, .group-foot { display: none }
  .search, .found { display: block }
  .note { border: .05rem solid #999 }
  dl > div, .note, .files tr, .items > li { break-inside: avoid }
  a { color: inherit }
  details::details-content { content-visibility: visible; display: block; block-size: auto }
}
`;
