// The one style sheet of the resolver's pages. Every page contains it; the Content-Security-Policy contains its hash.

export const STYLE = `
:root{color-scheme:light dark;--paper:#fbfaf7;--card:#fff;--ink:#23262b;--soft:#646a73;--line:#e4e0d8;--accent:#1f5f6b;--accent-ink:#fff;--tint:#eef4f4;--warn:#8a5a12;--warn-tint:#fbf3e3;--gone:#7a3b3b;--gone-tint:#f8eeee}
@media (prefers-color-scheme:dark){:root{--paper:#15181b;--card:#1c2024;--ink:#e6e4df;--soft:#9aa1a9;--line:#2f353b;--accent:#7cc4cf;--accent-ink:#10292d;--tint:#1d2b2e;--warn:#e2b866;--warn-tint:#2b2418;--gone:#e0a3a3;--gone-tint:#2c2020}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);font:1rem/1.65 system-ui,-apple-system,"Segoe UI","Hiragino Sans","Noto Sans JP","Yu Gothic UI",Meiryo,sans-serif;text-wrap:pretty;-webkit-text-size-adjust:100%}
:lang(ja){line-height:1.85;line-break:strict;word-break:auto-phrase}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:.06em}
a:hover{text-decoration-thickness:.12em}
:focus-visible{outline:.18rem solid var(--accent);outline-offset:.15rem;border-radius:.2rem}
.bar,main,.foot{width:100%;max-width:46rem;margin:0 auto;padding:0 1.25rem}
.bar{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:baseline;justify-content:space-between;padding-top:1.1rem;padding-bottom:.6rem;font-size:.9rem;color:var(--soft)}
.bar a{color:inherit;text-decoration:none}
.bar a:hover{text-decoration:underline}
.mark{font-weight:650;letter-spacing:.01em;color:var(--ink)}
.langs{display:flex;gap:1rem}
.langs [aria-current]{color:var(--ink);font-weight:600}
main{flex:1;padding-top:1.2rem;padding-bottom:2.5rem}
h1{font-size:clamp(1.5rem,1.2rem + 1.6vw,2.1rem);line-height:1.3;font-weight:650;letter-spacing:-.01em;margin:.35rem 0 .6rem;overflow-wrap:anywhere}
:lang(ja) h1{letter-spacing:0;line-height:1.45}
h2{font-size:.82rem;font-weight:650;letter-spacing:.06em;color:var(--soft);margin:2.2rem 0 .5rem}
:lang(en) h2{text-transform:uppercase}
p{margin:.6rem 0;max-width:38rem}
.ark{font-family:ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:1.02rem;overflow-wrap:anywhere;word-break:normal;line-height:1.5;margin:0;color:var(--accent)}
.by{color:var(--soft);margin:.1rem 0 0;overflow-wrap:anywhere}
.go{display:inline-block;margin:1.1rem 0 .2rem;padding:.62rem 1.25rem;border-radius:.5rem;background:var(--accent);color:var(--accent-ink);font:inherit;font-weight:600;line-height:1.4;text-decoration:none;border:0;cursor:pointer}
.go:hover{filter:brightness(1.08);text-decoration:none}
.go.quiet{background:transparent;color:var(--accent);box-shadow:inset 0 0 0 .09rem var(--accent)}
.note{max-width:none;margin:1.2rem 0;padding:.9rem 1.1rem;border-radius:.6rem;background:var(--tint);border-inline-start:.25rem solid var(--accent)}
.note p:first-child{margin-top:0}.note p:last-child{margin-bottom:0}
.note.warn{background:var(--warn-tint);border-color:var(--warn)}
.note.gone{background:var(--gone-tint);border-color:var(--gone)}
.badge{display:inline-block;font-size:.8rem;font-weight:650;padding:.1rem .65rem;border-radius:1rem;background:var(--tint);color:var(--accent);margin:0 0 .6rem}
.badge.warn{background:var(--warn-tint);color:var(--warn)}
.badge.gone{background:var(--gone-tint);color:var(--gone)}
dl{margin:0;border-top:.07rem solid var(--line)}
dl>div{display:grid;grid-template-columns:11.5rem 1fr;gap:0 1.25rem;padding:.6rem 0;border-bottom:.07rem solid var(--line)}
dt{color:var(--soft);font-size:.92rem}
dd{margin:0;overflow-wrap:anywhere;white-space:pre-line}
dd.none{color:var(--soft);font-style:normal}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.94em}
p code{white-space:nowrap}
ul{padding-inline-start:1.2rem;margin:.6rem 0;max-width:38rem}
li{margin:.35rem 0}
form{margin:1.4rem 0 .5rem}
label{display:block;font-weight:600;margin:0 0 .35rem}
.line{display:flex;flex-wrap:wrap;gap:.6rem}
input[type=text]{flex:1 1 16rem;min-width:0;padding:.65rem .8rem;font:1rem/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;color:inherit;background:var(--card);border:.09rem solid var(--line);border-radius:.5rem}
.line .go{margin:0}
.hint{font-size:.88rem;color:var(--soft);margin:.45rem 0 0;overflow-wrap:anywhere}
.forms{font-size:.92rem;color:var(--soft);display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin-top:1.6rem}
.foot{padding-bottom:2rem;font-size:.85rem;color:var(--soft)}
.foot p{max-width:none;margin:0;padding-top:1rem;border-top:.07rem solid var(--line)}
@media (max-width:36rem){dl>div{grid-template-columns:1fr;gap:.05rem}dt{font-size:.84rem}.line .go{flex:1 1 auto;text-align:center}}
@media print{:root{--paper:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--accent:#000;--tint:#fff;--warn-tint:#fff;--gone-tint:#fff;--warn:#000;--gone:#000}body{font-size:10.5pt;display:block}.langs,.forms,form,.go{display:none}.bar,main,.foot{max-width:none;padding-inline:0}.note{border:.05rem solid #999}dl>div,.note{break-inside:avoid}a{color:inherit}}
`;
