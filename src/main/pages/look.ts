// Colours, logo and picture of the pages, from the settings (R40, Q.5). The pictures are read once, at the start.
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { type Config, ConfigError } from "../../config.ts";
import { LOGO_TYPES, type Look, PICTURE_TYPES, staticFile } from "../../pages/static-files.ts";
import { themeStyle } from "../../pages/style/theme.ts";
import { errorMessage } from "../../shared/error-message.ts";

type PictureRule = {
  readonly setting: string;
  /** Of its address. */
  readonly name: string;
  readonly types: readonly (typeof PICTURE_TYPES)[number][];
  readonly kibMax: number;
};
const LOGO: PictureRule = { setting: "SVC_LOGO", name: "logo", types: LOGO_TYPES, kibMax: 100 };
const FRONT: PictureRule = { setting: "SVC_FRONT_PICTURE", name: "front", types: PICTURE_TYPES, kibMax: 500 };

/** @throws ConfigError for a logo or a picture that cannot be used */
export function lookOf({
  colorLight,
  colorDark,
  logo,
  frontPicture,
}: Pick<Config, "colorLight" | "colorDark" | "logo" | "frontPicture">): Look {
  const style = themeStyle({ light: colorLight, dark: colorDark });
  return {
    theme: style === "" ? null : staticFile("theme", "css", style),
    logo: logo === null ? null : readPicture(logo, LOGO),
    picture: frontPicture === null ? null : readPicture(frontPicture, FRONT),
  };
}

function readPicture(path: string, { setting, name, types, kibMax }: PictureRule) {
  const refuse = (why: string): ConfigError =>
    new ConfigError([
      `${setting}="${path}" is not allowed: a picture (${types.join(", ")}) of at most ${kibMax} KiB (${why})`,
    ]);
  const ending = extname(path)
    .toLowerCase()
    .replace(/^\.jpeg$/, ".jpg");
  const type = types.find((each) => ending === `.${each}`);
  if (type === undefined) throw refuse("another ending");
  try {
    const bytes = new Uint8Array(readFileSync(path));
    if (bytes.length <= kibMax * 1024) return staticFile(name, type, bytes);
  } catch (error) {
    throw refuse(errorMessage(error));
  }
  throw refuse("it is larger");
}
