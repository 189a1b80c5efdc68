// Fields, choices and groups, with their hints and errors.

export const FORMS = `
form { margin: var(--s4) 0 var(--s2) }
label, legend, .label { font-weight: 600 }
label { display: block; margin: 0 0 var(--s1) }
.field { margin: 0 0 1.1rem; max-width: 34rem; min-width: 0 }
.field .hint { margin: 0 0 var(--s1) }
.must { font-weight: 500; color: var(--gone); font-size: .9em; white-space: nowrap }
.wrong { margin: 0 0 var(--s1); color: var(--gone); font-weight: 600; overflow-wrap: anywhere }
.has-error { padding-inline-start: var(--s3); border-inline-start: .25rem solid var(--gone) }
input:not([type=checkbox], [type=radio], [type=hidden], [type=file]), select, textarea { display: block; width: 100%; max-width: 100%; min-width: 0; min-height: var(--target); height: var(--target); padding: .45rem .75rem; font: inherit; line-height: 1.4; color: inherit; background: var(--card); border: .09rem solid var(--edge); border-radius: var(--round) }
textarea { height: auto; min-height: 6rem; resize: vertical; line-height: 1.6 }
input[type=password], input.mono { font-family: var(--mono) }
input[type=search] { appearance: none }
::placeholder { color: var(--soft); opacity: 1 }
[aria-invalid=true] { border-color: var(--gone) !important; border-width: .14rem !important }
input[type=checkbox], input[type=radio] { flex: none; width: 1.35rem; height: 1.35rem; margin: .7rem 0 0; accent-color: var(--accent) }
input[type=file] { font: inherit; max-width: 100%; min-height: var(--target); padding-block: .4rem }
fieldset { border: 0; padding: 0; margin: 0 0 1.1rem; min-width: 0 }
legend { padding: 0; margin: 0 0 var(--s1); max-width: 100%; overflow-wrap: anywhere }
.line { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end }
.line > input, .line > .field, .line > .combobox { flex: 1 1 16rem; margin: 0 }
.line .go { margin: 0 }
.choices { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr)); gap: 0 1rem }
.choices.wide { grid-template-columns: minmax(0, 1fr) }
.choice { display: flex; gap: .6rem; align-items: flex-start; min-height: var(--target) }
.choice > span { flex: 1; min-width: 0 }
.choice label { font-weight: 400; margin: 0; padding: .55rem 0; overflow-wrap: anywhere; cursor: pointer }
.choice-hint { display: block; margin-top: -.5rem; color: var(--soft); font-size: .9rem }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); gap: 0 1rem; align-items: end }
.fields > .field { margin: 0 0 .8rem; max-width: none }

.group { margin: 0 0 var(--s5); padding: var(--s4); border: var(--thin) solid var(--line); border-radius: var(--round); background: var(--card) }
.group > legend { font-size: var(--large); padding: 0 var(--s2); margin-inline-start: calc(-1 * var(--s2)) }
.entries { list-style: none; margin: 0; padding: 0; max-width: none }
.entry { margin: 0 0 var(--s3); padding: 0 0 var(--s3); border-bottom: var(--thin) solid var(--line) }
.entry > fieldset, .entry > .field { margin: 0 }
.entry.one { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 var(--s3); align-items: end; padding-bottom: 0; border: 0 }
.entry-buttons, .group-foot { display: flex; flex-wrap: wrap; gap: var(--s2); align-items: center }
.entry-buttons { margin-top: var(--s2) }
.save-state { position: sticky; bottom: 0; max-width: none; margin: var(--s3) 0 0; padding: var(--s2) 0; background: var(--paper) }
.save-state:empty { display: none }
.group-foot p { margin: 0; color: var(--soft) }

.combobox { position: relative }
.combobox [role=listbox] { position: absolute; z-index: 1; inset-inline: 0; max-height: 18rem; overflow-y: auto; list-style: none; margin: .15rem 0 0; padding: var(--s1) 0; max-width: none; background: var(--card); border: .09rem solid var(--edge); border-radius: var(--round); box-shadow: 0 .25rem 1rem rgb(0 0 0 / .18) }
.combobox [role=option] { margin: 0; padding: .5rem .75rem; min-height: var(--target); overflow-wrap: anywhere; cursor: pointer }
.combobox [role=option][aria-selected=true] { background: var(--accent); color: var(--accent-ink) }
.combobox [role=option] .choice-hint { color: inherit; margin: 0 }
.combobox [role=group] > .kind { padding: .35rem .75rem .1rem; font-weight: 600 }
.combobox .line { flex-wrap: nowrap; align-items: center }
.combobox input[role=combobox] + button[name=look-up] { display: none }
.suggested { margin: 0 0 var(--s4); padding: var(--s3); border-inline-start: .25rem solid var(--accent) }

.find { display: flex; gap: .35rem; margin: 0; flex: 1 1 12rem; max-width: 20rem }
.find .combobox { flex: 1 1 6rem }
.find button { flex: none; min-height: var(--target); font: inherit; color: inherit; background: none; border: .09rem solid var(--edge); border-radius: var(--round); padding: .3rem .8rem; cursor: pointer }
.search { margin: .4rem 0 }
.search.front { max-width: 48rem; margin: var(--s4) 0 }
.search.front input { font-size: 1.1rem }
.search.front input, .search.front button { min-height: 3.25rem }
.search fieldset { margin: .2rem 0 .6rem }
.detailed { margin: .6rem 0 }
.ordering { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: end; margin: .4rem 0 var(--s3) }
.ordering .field { margin: 0; flex: 0 1 14rem }
.ordering label { font-size: .92rem }
`;
