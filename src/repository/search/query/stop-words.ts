// Words that do not tell what is asked for (R27b): articles, prepositions, pronouns, auxiliary verbs and the words of
// questions, in the languages that most items are written in. They never decide which hit comes first. Written folded,
// as tokens are.

const WORDS = `
a about above after again against all also although am among an and any anything are as at be because been before being below between both but by can
cannot could did do does doing done down during each either else etc ever every everything few find for from further get give had has have having he
her here hers him his how however i if in into is it its itself just kind know known let like look looking many may me might more most much must my
neither no nor not of off on once one only onto or other our out over own papers per please related relation same say see shall she should show since
so some something sort still studies such than that the their them then there these they thing things this those through to too under until up upon
us use used using very via want was we well were what whatever when where whether which while who whom whose why will with within without would yes
yet you your focus

aber alle allem allen aller alles als also am an andere anderen arbeiten auch auf aus bei beim bin bis da dabei dafur damit dann das dass dazu dein
dem den denn der deren des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch
euer fur gegen gibt haben hat hatte hier ich ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jene kann kein keine konnen
man mehr mein mit muss nach nicht nichts noch nun nur ob oder ohne sehr sein seine sich sie sind so sollen sollte uber um und uns unter vom von vor
wann war waren warum was weil weiss welche welchem welchen welcher welches wenn wer werden wie wieder wird wo wurde wurden zu zum zur zwischen

a ai au aux avec ce ceci cela celle celles celui ces cet cette ceux chez comme comment d dans de des depuis donc dont du elle elles en entre est et
etait ete etre eu eux fait fut il ils je l la le les leur leurs lui m ma mais me meme mes moi mon n ne nos notre nous on ont ou par parmi pas peu
peut plus plusieurs portent pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sait sans se ses si son sont sous sur t ta te tes
toi ton tous tout toute toutes travaux tres tu un une vers via vos votre vous y

al algo como con cual cuando de del desde donde e el ella ellos en entre era es esta este esto ha hay la las lo los mas muy no nos o para pero por
porque que quien se ser si sin sobre son su sus tambien te un una uno y

che chi ci come con cosa cui da dal dalla degli dei del della delle di do dos e gli ha il io la le lo ma mi nei nel nella non os per perche piu quale
quando quello questa questo se si sono su sua sul sulla suo tra um uma un una uno

aan als bij dat de die dit door een en er geen haar hebben heeft het hij hoe ik in is je kan maar met mijn naar niet nog of om onder ook op over te
tot uit van voor waar was wat we welke werd wie wordt worden zich zijn zo
`;

const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter((word) => word !== ""));

/** Two characters of a Japanese text that belong to particles and endings: hiragana alone. */
const HIRAGANA = /^[\u3041-\u309f]{1,2}$/;

/** `token`: folded, as the index has it. */
export const isStopWord = (token: string): boolean => STOP_WORDS.has(token);

/** Whether a token of a longer run is of its particles and endings, as far as one can tell. */
export const isOfParticles = (token: string): boolean => HIRAGANA.test(token);
