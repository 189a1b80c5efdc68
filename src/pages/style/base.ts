// The frame of pages, headings, text and buttons.

export const BASE = `
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink); font: 1rem/1.65 var(--sans); text-wrap: pretty; -webkit-text-size-adjust: 100% }
:lang(ja) { line-height: 1.8; line-break: strict; word-break: auto-phrase }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: .06em }
a:hover { text-decoration-thickness: .12em }
:focus-visible { outline: var(--ring) solid var(--accent); outline-offset: .125rem; border-radius: .2rem }
[tabindex="-1"]:focus { outline-offset: .25rem }
[hidden] { display: none !important }
.off { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.skip { position: absolute; inset-inline-start: -999rem; top: 0; background: var(--card); color: var(--accent); padding: var(--s3) var(--s4); z-index: 2 }
.skip:focus { inset-inline-start: var(--s2); top: var(--s2) }

.bar, main, .foot { width: 100%; max-width: var(--width); margin: 0 auto; padding-inline: 1.25rem }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1.25rem; padding-block: var(--s2); font-size: .92rem; color: var(--soft) }
.bar a, .bar .plain { color: inherit; text-decoration: none }
.bar a:hover, .bar .plain:hover { text-decoration: underline }
.bar a, .bar .plain, .langs span { display: inline-flex; align-items: center; min-height: var(--target) }
.bar nav { display: flex; flex-wrap: wrap; gap: 0 1.1rem; align-items: center }
.bar nav a[aria-current] { color: var(--ink); font-weight: 650 }
.bar form { margin: 0 }
.bar .mark { gap: var(--s2); font-size: 1.02rem; font-weight: 650; color: var(--ink); overflow-wrap: anywhere }
.bar .mark img { display: block; max-height: 2.25rem; max-width: 12rem; width: auto }
.bar .langs { margin-inline-start: auto; gap: 0 1rem }
.langs [aria-current] { color: var(--ink); font-weight: 600 }
.bar a.who { max-width: 9rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; display: inline-block; line-height: var(--target) }
main { flex: 1; padding-block: var(--s4) 3rem }
.foot { padding-bottom: 2rem; font-size: var(--small); color: var(--soft) }
.foot p { max-width: none; margin: 0; padding-top: var(--s4); border-top: var(--thin) solid var(--line) }
.foot a { display: inline-flex; align-items: center; min-height: var(--target); margin-inline-end: var(--s3) }

h1 { font-size: var(--title); line-height: 1.3; font-weight: 650; letter-spacing: -.01em; margin: .35rem 0 .6rem; overflow-wrap: anywhere; max-width: 56rem }
:lang(ja) h1, h1:lang(ja) { letter-spacing: 0; line-height: 1.45 }
h2 { font-size: var(--large); line-height: 1.4; font-weight: 650; margin: var(--s6) 0 var(--s2); overflow-wrap: anywhere }
h3 { font-size: var(--body); font-weight: 650; margin: var(--s5) 0 var(--s1) }
p { margin: .6rem 0; max-width: var(--text) }
ul, ol { padding-inline-start: 1.3rem; margin: .6rem 0; max-width: var(--text) }
li { margin: .35rem 0 }
code, .ark, .secret, pre { font-family: var(--mono); font-size: .94em }
pre { overflow-x: auto }
p code { overflow-wrap: anywhere }
.ark { font-size: 1.02rem; overflow-wrap: anywhere; word-break: normal; line-height: 1.5; margin: 0; color: var(--accent) }
.secret { overflow-wrap: anywhere; user-select: all }
.by, .kind, .hint { color: var(--soft) }
.by { margin: .1rem 0 0; overflow-wrap: anywhere }
.kind { font-size: .92em; font-weight: 400 }
a.apart { display: inline-block; min-height: 24px; margin-inline-start: .4em }
.hint { font-size: .9rem; margin: .25rem 0; overflow-wrap: anywhere }
.name { white-space: break-spaces; overflow-wrap: anywhere }
.abstract { white-space: pre-line; overflow-wrap: anywhere }
.orcid { vertical-align: -.15em }
mark { background: var(--warn-tint); color: inherit; font-weight: 600; border-radius: .15rem }
summary { cursor: pointer; color: var(--accent); padding: .6rem 0; min-height: var(--target); overflow-wrap: anywhere }

.go, .small { display: inline-flex; align-items: center; justify-content: center; gap: var(--s2); min-height: var(--target); padding: .5rem 1.25rem; border: var(--thin) solid transparent; border-radius: var(--round); background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 600; line-height: 1.4; text-decoration: none; cursor: pointer }
.go:hover { filter: brightness(1.08); text-decoration: none }
.go.quiet, .small { background: transparent; color: var(--accent); border-color: var(--accent) }
.go.danger, .small.danger { background: transparent; color: var(--gone); border-color: var(--gone) }
.go.danger.sure { background: var(--gone); color: var(--paper) }
.small { padding: .3rem .8rem; font-size: .92rem; font-weight: 500 }
.go[disabled], .small[disabled] { color: var(--soft); border-color: var(--line); background: transparent; cursor: default }
.plain { background: none; border: 0; padding: 0 .1rem; min-height: var(--target); font: inherit; color: var(--accent); cursor: pointer; text-decoration: underline; text-decoration-thickness: .06em; text-underline-offset: .18em }
.buttons { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem; margin: var(--s4) 0 0; max-width: none }
.buttons form { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem; margin: 0 }
.links { display: flex; flex-wrap: wrap; gap: 0 1.2rem; margin: var(--s2) 0; max-width: none }
.links > *, .forms > * { display: inline-flex; align-items: center; min-height: var(--target) }
.forms { font-size: .92rem; color: var(--soft); display: flex; flex-wrap: wrap; gap: 0 1rem; margin-top: var(--s5); max-width: none }
`;
