// What viewers of files show: text with line numbers, cells, trees.

export const VIEWERS = `
.source { margin: 0; padding: var(--s2) 0; border: var(--thin) solid var(--line); border-radius: var(--round); overflow: visible; width: max-content; min-width: 100%; tab-size: 4 }
.source .line { display: inline-block; min-width: 3.5em; margin-inline-end: 1em; padding-inline-end: .6em; text-align: end; color: var(--soft); text-decoration: none; user-select: none; border-inline-end: var(--thin) solid var(--line) }
.source .line:target { background: var(--tint); font-weight: 650 }
.markdown { max-width: var(--text); overflow-wrap: anywhere }
.markdown pre { padding: var(--s2); border: var(--thin) solid var(--line); border-radius: var(--round) }
.markdown blockquote { margin-inline: 0; padding-inline-start: var(--s3); border-inline-start: .2rem solid var(--line); color: var(--soft) }
.markdown table { width: auto }
.sheet td, .sheet th { white-space: pre; max-width: 24rem; overflow: hidden; text-overflow: ellipsis; vertical-align: top }
.data { font-family: var(--mono); font-size: .9rem; overflow-wrap: anywhere }
.data ul { list-style: none; margin: 0; padding-inline-start: 1.4em; max-width: none }
.data > ul { padding: 0 }
.data li { margin: 0 }
.data .key { font-weight: 650 }
.data .text { white-space: pre-wrap }
.cell { margin: var(--s4) 0 }
.cell > .kind { margin: var(--s1) 0 }
.cell pre { margin: 0; padding: var(--s2); border: var(--thin) solid var(--line); border-radius: var(--round) }
.cell pre.output { border-style: none none none solid; border-radius: 0; margin-top: var(--s2) }
.cell pre.gone { border-color: var(--gone) }
.cell img { max-width: 100%; background: white }
iframe.pdf { width: 100%; height: min(80vh, 70rem); border: var(--thin) solid var(--line) }
.source-text { white-space: pre-wrap; overflow-wrap: anywhere }
`;
