// Pictures, players and maps of viewers.

export const VIEWERS_MEDIA = `
.picture, .map { margin: var(--s3) 0 }
.frame { max-height: 85vh; overflow: auto; border: var(--thin) solid var(--line); border-radius: var(--round); background: var(--card) }
.frame img { display: block }
.frame .fit { max-width: 100%; height: auto }
.frame .full { max-width: none }
.player { display: block; width: 100%; max-height: 75vh; margin: var(--s3) 0 }
.transcript dl { max-height: 30rem; overflow: auto }
.map svg { display: block; width: 100%; height: auto; border: var(--thin) solid var(--line); border-radius: var(--round); background: var(--card) }
.map path { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; vector-effect: non-scaling-stroke }
.map .grid { stroke: var(--line); stroke-width: 1 }
.map .area { fill: var(--accent); fill-opacity: .25; fill-rule: evenodd }
.map .dot { stroke-width: 8 }
.map .scale { stroke: var(--ink) }
.map text { fill: var(--soft); font-size: 12px }
.map .end { text-anchor: end }
`;
