import type { Page } from "playwright";

/** The slider for the position in a document's history. */
export const revisionSlider = (page: Page) => page.getByRole("slider", { name: "Moment" });

/** The document at the moment that the player shows. */
export const past = (page: Page) => page.getByRole("region", { name: "Document at this moment" });
