// What the repository's pages add to the style of the resolver's (R19a). Both are in every page; their hash is in the
// policy.
import { STYLE } from "../../../resolver/pages/style.ts";

export const REPOSITORY_STYLE = `${STYLE}
.bar,main,.foot{max-width:52rem}
.bar{align-items:center;row-gap:.5rem}
.bar nav{display:flex;flex-wrap:wrap;gap:.35rem 1.1rem;align-items:center}
.bar nav a,.bar nav button,.langs a,.langs span{padding:.3rem 0;min-height:1.6rem}
.bar form{margin:0}
.bar .mark{color:var(--ink);font-size:1.02rem;padding:.3rem 0;overflow-wrap:anywhere}
.plain{background:none;border:0;padding:0;font:inherit;color:inherit;cursor:pointer;text-decoration:underline;text-decoration-thickness:.06em;text-underline-offset:.18em}
.bar .plain{text-decoration:none}
.bar .plain:hover{text-decoration:underline}
.skip{position:absolute;left:-999rem;top:0;background:var(--card);color:var(--accent);padding:.6rem 1rem;z-index:1}
.skip:focus{left:.5rem;top:.5rem}
.trail{display:flex;flex-wrap:wrap;gap:.15rem .5rem;list-style:none;padding:0;margin:0 0 .6rem;font-size:.9rem;max-width:none}
.trail li{margin:0}
.trail li+li::before{content:"›";color:var(--soft);margin-inline-end:.5rem}
.facts{display:flex;flex-wrap:wrap;gap:.2rem .9rem;align-items:center;margin:.2rem 0 .4rem;font-size:.92rem;color:var(--soft);max-width:none}
.facts .badge{margin:0}
.people{font-size:1.02rem;margin:.2rem 0 .4rem;max-width:none;overflow-wrap:anywhere}
.abstract{max-width:40rem;white-space:pre-line;overflow-wrap:anywhere}
.items{list-style:none;padding:0;margin:.4rem 0;max-width:none;border-top:.07rem solid var(--line)}
nav+.items{border-top:0}
.items>li{margin:0;padding:.75rem 0;border-bottom:.07rem solid var(--line);overflow-wrap:anywhere}
.items .what{font-weight:600;line-height:1.45}
.items .row{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;justify-content:space-between;align-items:baseline}
.items form{margin:0}
.items p{margin:.15rem 0 0;max-width:none;font-size:.92rem;color:var(--soft)}
.kind{color:var(--soft);font-size:.92em}
dd>ul{list-style:none;padding:0;margin:0;max-width:none;white-space:normal}
dd>ul>li{margin:0 0 .45rem;white-space:pre-line}
dd>ul>li:last-child{margin-bottom:0}
dd .more{display:block;font-size:.9em;color:var(--soft);white-space:pre-line}
.files{width:100%;border-collapse:collapse;margin:.4rem 0;font-size:.96rem}
.files th{font-size:.84rem;font-weight:600;color:var(--soft);text-align:start;padding:.4rem .8rem .4rem 0;border-bottom:.07rem solid var(--line)}
.files td{vertical-align:top;padding:.65rem .8rem .65rem 0;border-bottom:.07rem solid var(--line);overflow-wrap:anywhere}
.files td:last-child,.files th:last-child{padding-inline-end:0}
.files td+td{white-space:nowrap}
.files td .comment{white-space:pre-line}
.files td.wrap{white-space:normal}
.files .soft{display:block;color:var(--soft);font-size:.9em}
.cites h3{font-size:.92rem;font-weight:600;color:var(--soft);margin:.9rem 0 .3rem}.cites p{margin:.3rem 0}
pre.cite{white-space:pre-wrap;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.85rem;margin:.3rem 0}
.cite{padding:.8rem 1rem;background:var(--card);border:.07rem solid var(--line);border-radius:.6rem;max-width:none;overflow-wrap:anywhere;user-select:all}
.links{display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;margin:.5rem 0;max-width:none}
.tabs{display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;list-style:none;padding:0;margin:.6rem 0 1rem;max-width:none;border-bottom:.07rem solid var(--line)}
.tabs li{margin:0}
.tabs a{display:inline-block;padding:.45rem 0;text-decoration:none}
.tabs [aria-current]{font-weight:650;box-shadow:0 .13rem 0 var(--accent)}
.tree{max-width:none}
.field{margin:0 0 1.1rem}
.field input,.field textarea{width:100%;max-width:32rem;padding:.6rem .75rem;font:inherit;color:inherit;background:var(--card);border:.09rem solid var(--soft);border-radius:.5rem}
.field input[type=password],.field .secret{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
.field .hint{margin:.25rem 0 0}
.field .wrong,.wrong{margin:.25rem 0 0;color:var(--gone);font-size:.92rem}
[aria-invalid=true]{border-color:var(--gone)!important}
fieldset{border:0;padding:0;margin:0 0 1.1rem}
legend{font-weight:600;padding:0;margin:0 0 .35rem}
.checks{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:.15rem 1rem}
.checks label{font-weight:400;margin:0;display:flex;gap:.5rem;align-items:center;min-height:1.8rem}
.checks input{width:1.05rem;height:1.05rem;margin:0;accent-color:var(--accent)}
.checks.wide{grid-template-columns:1fr;gap:.5rem}
.checks.wide label{align-items:start;max-width:40rem}
.checks.wide input{margin-top:.35rem;flex:none}
dd form.row{margin:.15rem 0 0}
dd form.row .plain{color:var(--accent);padding:.2rem 0}
.buttons{display:flex;flex-wrap:wrap;gap:.6rem;margin:.8rem 0 0}
.buttons .go{margin:0}
.go.danger{background:transparent;color:var(--gone);box-shadow:inset 0 0 0 .09rem var(--gone)}
.secret{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere;user-select:all}
summary{cursor:pointer;color:var(--accent);padding:.3rem 0;overflow-wrap:anywhere}
.name{white-space:break-spaces;overflow-wrap:anywhere}
.people a{white-space:nowrap}
.folder{margin:.2rem 0;border-bottom:.07rem solid var(--line)}
.folder>summary{padding:.55rem 0}
.folder>:not(summary){margin-inline-start:.9rem}
.folder>table{width:calc(100% - .9rem)}
.inner thead{position:absolute;left:-999rem}
.values{max-width:none;padding-inline-start:2.6rem}
.values li{overflow-wrap:anywhere}
.values .more{display:block;font-size:.9em;color:var(--soft)}
.all{margin:.5rem 0;max-width:none}
dd .all{margin:.3rem 0 0}
.even{table-layout:fixed}
.even .size{width:9.5rem}
.even .access{width:13rem}
.even td,.even td+td{white-space:normal}
dd>.rest>ul{list-style:none;padding:0;margin:.45rem 0 0;max-width:none;white-space:normal}
dd>.rest li{margin:0 0 .45rem;white-space:pre-line}
.find{display:flex;gap:.35rem;margin:0;flex:1 1 12rem;max-width:22rem}
.find input{flex:1 1 8rem;min-width:0}
input[type=search],select{padding:.45rem .6rem;font:inherit;color:inherit;background:var(--card);border:.09rem solid var(--soft);border-radius:.5rem;max-width:100%}
.find button{font:inherit;color:inherit;background:none;border:.09rem solid var(--soft);border-radius:.5rem;padding:.3rem .7rem;cursor:pointer}
.search{margin:.4rem 0}
.search .line input{flex:1 1 16rem;padding:.65rem .8rem;font-size:1.02rem}
.search fieldset{margin:.2rem 0 .6rem}
.detailed{margin:.6rem 0}
.fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr));gap:.2rem 1rem;margin:.5rem 0}
.fields .field{margin:0 0 .6rem}
.fields select,.fields .field>input{width:100%}
.fields .checks{align-self:end;margin-bottom:.9rem;display:block}
.detailed .checks{grid-template-columns:repeat(auto-fill,minmax(16rem,1fr))}
.total{font-weight:600;margin:1rem 0 .2rem}
.chips{display:flex;flex-wrap:wrap;gap:.4rem;list-style:none;padding:0;margin:.4rem 0;max-width:none}
.chips li{margin:0}
.chips a{display:inline-block;padding:.2rem .8rem;border-radius:1rem;background:var(--tint);text-decoration:none;overflow-wrap:anywhere}
.found{display:grid;grid-template-columns:minmax(0,1fr) 15rem;gap:0 2.2rem;align-items:start}
.ordering{display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;align-items:center;margin:.4rem 0 .8rem;font-size:.92rem}
.ordering label{font-weight:400;margin:0}
.ordering .plain{color:var(--accent);padding:.3rem 0}
.facets h2{margin-top:.6rem}
.facets summary{font-weight:600}
.facets label{display:flex;gap:.5rem;font-weight:400;margin:0;padding:.18rem 0;overflow-wrap:anywhere}
.facets input{width:1.05rem;height:1.05rem;margin:.3rem 0 0;flex:none;accent-color:var(--accent)}
.facets p{margin:0;padding:.18rem 0;overflow-wrap:anywhere}
.facets [aria-current]{font-weight:650}
.facets .go{margin:.6rem 0}
.orcid{vertical-align:-.15em}
.off{position:absolute;left:-999rem}
.items .snippet{color:var(--ink);overflow-wrap:anywhere}
mark{background:var(--warn-tint);color:inherit;font-weight:600;border-radius:.15rem}
@media (max-width:46rem){.found{grid-template-columns:minmax(0,1fr)}}
@media (max-width:36rem){.files,.files tbody{display:block}.files col,.files colgroup{display:none}.files thead{position:absolute;left:-999rem}.files tr{display:block;border-bottom:.07rem solid var(--line);padding:.55rem 0}.files td,.files td+td{display:block;border:0;padding:.12rem 0;white-space:normal}.buttons .go{flex:1 1 auto}}
@media print{.search,.found{display:block}.find,.facets,.ordering,.detailed,.search .line,.bar nav,.skip,.tabs,.links,.buttons,.rest>summary{display:none}details::details-content{content-visibility:visible;display:block;block-size:auto}.files tr{break-inside:avoid}}
`;
