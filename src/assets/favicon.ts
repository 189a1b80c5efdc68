// The icon of the product: an arch, 16 by 16, one PNG in an ICO.
const BASE64 =
  "AAABAAEAEBAAAAEAIABpAAAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAQAAAAEAgGAAAAH/P/YQAAADBJREFUeNpjYKAVkPer/I+MydZIkkGENOM1hJAigoYQ" +
  "40ycakgJLKxqRw0YNYBSAAADr6qD9Ay9JQAAAABJRU5ErkJggg==";

export const FAVICON = Uint8Array.from(atob(BASE64), (letter) => letter.charCodeAt(0));
