import type { Sources } from "./reading/read-blocks";

/** Where a text is read that comes alone, with no picture beside it. */
export const alone: Sources = {
  origin: "https://palimpsest.example",
  left: () => undefined,
  pictureOf: () => null,
};
