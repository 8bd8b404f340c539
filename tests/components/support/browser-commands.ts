import { defineBrowserCommand } from "@vitest/browser-playwright";

type Media = { colorScheme: "light" | "dark" | null };

/** What component tests ask of Playwright, beside Vitest's own commands. */
export const browserCommands = {
  /** Presses a key by Playwright's name, such as `Control+z`, as often as stated. */
  press: defineBrowserCommand<[key: string, times?: number]>(async ({ page }, key, times = 1) => {
    for (let time = 0; time < times; time += 1) await page.keyboard.press(key);
  }),
  /** Types letters as they are. */
  typeText: defineBrowserCommand<[letters: string]>(({ page }, letters) =>
    page.keyboard.type(letters),
  ),
  emulateMedia: defineBrowserCommand<[media: Media]>(({ page }, media) => page.emulateMedia(media)),
};

declare module "vitest/browser" {
  interface BrowserCommands {
    press: (key: string, times?: number) => Promise<void>;
    typeText: (letters: string) => Promise<void>;
    emulateMedia: (media: Media) => Promise<void>;
  }
}
