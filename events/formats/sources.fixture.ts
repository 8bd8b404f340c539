import type { Sources } from "./reading/read-blocks";

/** The sources of a text without other files. */
export const alone: Sources = {
  origin: "https://palimpsest.example",
  left: () => undefined,
  pictureOf: () => null,
};
