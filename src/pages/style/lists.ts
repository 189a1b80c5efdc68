// Notes, badges, states, tables, files and lists.

export const LISTS = `
.note { max-width: none; margin: var(--s4) 0; padding: .9rem 1.1rem; border-radius: var(--round); background: var(--tint); border: var(--thin) solid transparent; border-inline-start: .25rem solid var(--accent); overflow-wrap: anywhere }
.note > :first-child { margin-top: 0 }
.note > :last-child { margin-bottom: 0 }
.note h2 { font-size: var(--large) }
.note.good { background: var(--good-tint); border-inline-start-color: var(--good) }
.note.warn { background: var(--warn-tint); border-inline-start-color: var(--warn) }
.note.gone { background: var(--gone-tint); border-inline-start-color: var(--gone) }
.badge { display: inline-block; font-size: .82rem; font-weight: 650; padding: .1rem .65rem; border-radius: 1rem; background: var(--tint); color: var(--accent); border: var(--thin) solid transparent; margin: 0 }
.badge.good { background: var(--good-tint); color: var(--good) }
.badge.warn { background: var(--warn-tint); color: var(--warn) }
.badge.gone { background: var(--gone-tint); color: var(--gone) }
.state { margin: var(--s5) 0; max-width: var(--text) }
.state h2 { margin-top: 0 }
.loading::before { content: ""; display: inline-block; width: 1.1em; height: 1.1em; margin-inline-end: .6em; vertical-align: -.2em; border: .18em solid var(--line); border-top-color: var(--accent); border-radius: 50%; animation: turn 1s linear infinite }
@keyframes turn { to { transform: rotate(1turn) } }
.progress { margin: var(--s3) 0; max-width: 34rem }
progress { display: block; width: 100%; height: .75rem; accent-color: var(--accent) }
.progress p { margin: var(--s1) 0 0; font-size: .92rem; color: var(--soft) }

dl { margin: 0; border-top: var(--thin) solid var(--line) }
dl > div { display: grid; grid-template-columns: 12.5rem minmax(0, 1fr); gap: 0 1.25rem; padding: .6rem 0; border-bottom: var(--thin) solid var(--line) }
dt { color: var(--soft); font-size: .94rem }
dd { margin: 0; overflow-wrap: anywhere; white-space: pre-line; max-width: 50rem }
dd.none { color: var(--soft) }
dd > ul, dd > .rest > ul { list-style: none; padding: 0; margin: 0; max-width: none; white-space: normal }
dd > .rest > ul { margin-top: .45rem }
dd > ul > li, dd > .rest li { margin: 0 0 .45rem; white-space: pre-line }
dd > ul > li:last-child { margin-bottom: 0 }
.more { display: block; font-size: .9em; color: var(--soft); white-space: pre-line }
.all { margin: var(--s2) 0; max-width: none }
dd .all { margin: .3rem 0 0 }
.values { max-width: none; padding-inline-start: 2.6rem }
.values li { overflow-wrap: anywhere }

.trail, .tabs, .chips, .pages { display: flex; flex-wrap: wrap; list-style: none; padding: 0; max-width: none }
.trail { gap: 0 .5rem; margin: 0; font-size: .92rem }
.trail li, .tabs li, .chips li, .pages li { margin: 0 }
.trail a { display: inline-flex; align-items: center; min-height: var(--target) }
.trail li + li::before { content: "›"; color: var(--soft); margin-inline-end: .5rem }
.tabs { gap: 0 1.2rem; margin: .6rem 0 1rem; border-bottom: var(--thin) solid var(--line) }
.tabs a { display: inline-flex; align-items: center; min-height: var(--target); text-decoration: none; border-bottom: .19rem solid transparent }
.tabs [aria-current] { font-weight: 650; border-bottom-color: var(--accent) }
.chips { gap: .4rem; margin: .4rem 0 }
.chips a { display: inline-flex; align-items: center; gap: .35rem; min-height: var(--target); padding: .2rem .9rem; border-radius: 1.4rem; background: var(--tint); border: var(--thin) solid transparent; text-decoration: none; overflow-wrap: anywhere }
.pages { gap: var(--s1); margin: var(--s4) 0; align-items: center }
.pages a, .pages span { display: inline-flex; align-items: center; justify-content: center; min-height: var(--target); min-width: var(--target); padding: 0 .6rem; border-radius: var(--round); text-decoration: none; border: var(--thin) solid transparent }
.pages a { border-color: var(--line) }
.pages [aria-current] { font-weight: 650; border-color: var(--accent) }
.facts { display: flex; flex-wrap: wrap; gap: .2rem .9rem; align-items: center; margin: .2rem 0 .4rem; font-size: .94rem; color: var(--soft); max-width: none }
.people { font-size: 1.02rem; margin: .2rem 0 .4rem; max-width: none; overflow-wrap: anywhere }
.people a { white-space: nowrap }

.items { list-style: none; padding: 0; margin: .4rem 0; max-width: none; border-top: var(--thin) solid var(--line) }
nav + .items { border-top: 0 }
.items > li { margin: 0; padding: .75rem 0; border-bottom: var(--thin) solid var(--line); overflow-wrap: anywhere }
.items .what { font-weight: 600; line-height: 1.5 }
.items a.what { display: inline-block; padding: .3rem 0 }
.items .row { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; justify-content: space-between; align-items: center }
.items form { margin: 0 }
.items p { margin: .15rem 0 0; max-width: none; font-size: .94rem; color: var(--soft) }
.items .snippet { color: var(--ink) }
.with-logo { display: flex; gap: 1rem; align-items: flex-start }
.with-logo > div { min-width: 0; flex: 1 }
img.logo { width: 4rem; height: 4rem; object-fit: contain; flex: none }
.prose { overflow-wrap: anywhere }
img.front { display: block; width: 100%; max-height: 20rem; object-fit: cover; border-radius: var(--round); margin: var(--s3) 0 }
.figures { display: flex; flex-wrap: wrap; gap: var(--s3) var(--s6); border: 0 }
.figures > div { display: flex; flex-direction: column-reverse; padding: 0; border: 0 }
.figures dd { font-size: var(--title); font-weight: 650; line-height: 1.2; font-variant-numeric: tabular-nums }
.steps li { padding: var(--s2) 0; overflow-wrap: anywhere }
.tree { max-width: none }
.tree a { display: inline-flex; align-items: center; min-height: var(--target) }

table { width: 100%; border-collapse: collapse; margin: .4rem 0; font-size: .96rem }
caption { text-align: start; font-weight: 600; padding: 0 0 var(--s1) }
th { font-size: var(--small); font-weight: 600; color: var(--soft); text-align: start; padding: .4rem .8rem .4rem 0; border-bottom: var(--thin) solid var(--line) }
td .row { margin: 0 }
td { vertical-align: top; padding: .65rem .8rem .65rem 0; border-bottom: var(--thin) solid var(--line); overflow-wrap: anywhere }
tbody th { color: inherit; font-size: inherit; vertical-align: top; padding-block: .65rem }
td:last-child, th:last-child { padding-inline-end: 0 }
td.number, th.number { text-align: end; font-variant-numeric: tabular-nums }
.scroll { overflow-x: auto }
.files td + td { white-space: nowrap }
.files td .comment { white-space: pre-line }
.files td.wrap, .files.even td, .files.even td + td { white-space: normal }
.files .soft { display: block; color: var(--soft); font-size: .92em }
.even { table-layout: fixed }
.even .size { width: 9.5rem }
.even .access { width: 14rem }
.inner thead { position: absolute; inset-inline-start: -999rem }
.folder { margin: .2rem 0; border-bottom: var(--thin) solid var(--line) }
.folder > :not(summary) { margin-inline-start: .9rem }
.folder > table { width: calc(100% - .9rem) }
.cites h3 { font-size: .92rem; color: var(--soft); margin: .9rem 0 .3rem }
.cites p { margin: .3rem 0 }
.cite { padding: .8rem 1rem; background: var(--card); border: var(--thin) solid var(--line); border-radius: var(--round); max-width: none; overflow-wrap: anywhere; user-select: all }
pre.cite { white-space: pre-wrap; font-size: var(--small); margin: .3rem 0 }
dd form.row { margin: .15rem 0 0 }
td form.row, td .buttons { margin: 0; gap: .35rem }
td .buttons { min-width: 13rem }

.total { font-weight: 600; margin: 1rem 0 .2rem }
.found { display: grid; grid-template-columns: minmax(0, 1fr) 17rem; gap: 0 2.2rem; align-items: start }
.facets h2 { margin-top: .6rem }
.facets summary { font-weight: 600 }
.facets p { margin: 0; padding: .5rem 0; min-height: var(--target); overflow-wrap: anywhere }
.years { display: flex; flex-wrap: wrap; gap: .2rem 1rem }
.years .field { flex: 1 1 5rem; margin: 0 0 var(--s2) }
.bars { display: block; width: 100%; height: 3rem; margin: .5rem 0 0; fill: var(--accent) }
.ends { display: flex; justify-content: space-between; font-size: .84rem; color: var(--soft); padding: 0; min-height: 0 }
.facets table { width: 100%; border-collapse: collapse; font-size: .92rem }
.facets th { text-align: start; font-weight: 400; padding: .35rem 0 }
.facets td { text-align: end; padding: .35rem 0 }
.facets [aria-current] { font-weight: 650 }
.facets .go { margin: .6rem 0 }
.bare { list-style: none; margin: 0; padding: 0 }
.uploads > li, .timeline > li { border-block-start: 1px solid var(--line); padding: var(--s3) 0 }
.uploads progress { display: block; inline-size: 100% }
.drop-zone { border: 2px dashed var(--line); padding: var(--s4) }
.changes dd { overflow-wrap: anywhere; white-space: pre-line }
del { text-decoration: line-through; color: var(--gone, inherit) }
ins { text-decoration: underline; color: var(--good, inherit) }
`;
