import sharp from "sharp";
import type { Browser, Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { barriers } from "../support/browser/axe";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";
import { sharedDocument } from "../support/shared-document";

let browser: Browser;
let ana: Person;
let ben: Person;
let path: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ ana, ben, path } = await sharedDocument(browser, {
    title: "The shelf",
    begun: "Left.",
    ended: " Right.",
  }));
  await ana.page.goto("/account");
});

const portrait = async (background: string, format: "png" | "jpeg" = "png") => ({
  name: `portrait.${format}`,
  mimeType: `image/${format}`,
  buffer: await sharp({ create: { width: 640, height: 480, channels: 3, background } })
    .composite([
      {
        input: Buffer.from(
          '<svg width="640" height="480"><circle cx="400" cy="200" r="120" fill="#fde"/></svg>',
        ),
      },
    ])
    .toFormat(format)
    .toBuffer(),
});
const button = (name: string) => ana.page.getByRole("button", { name, exact: true });
const choose = async (file: Awaited<ReturnType<typeof portrait>>) =>
  ana.page.getByLabel("Picture to upload").setInputFiles(file);
/** The people's pictures that a page has drawn, without duplicates. */
const drawn = (page: Page) =>
  page.evaluate(() => {
    const images = [...document.querySelectorAll<HTMLImageElement>('img[src^="/avatars/"]')];
    const shown = images.filter((image) => image.complete && image.naturalWidth === 192);
    return [...new Set(shown.map((image) => new URL(image.src).pathname))];
  });

it("[FILE-50] [FILE-54] a picture is chosen, and others see it beside its person", async () => {
  await button("Upload picture").waitFor();
  await choose(await portrait("teal", "jpeg"));
  await button("Remove picture").waitFor();
  await expect.poll(() => drawn(ana.page)).toHaveLength(1);
  await expect
    .poll(() => button("Change picture").evaluate((element) => element === document.activeElement))
    .toBe(true);
  const [address = ""] = await drawn(ana.page);
  expect(address).toContain(ana.user.id);
  expect(await barriers(ana.page)).toEqual([]);

  await ana.page.goto(path);
  await ben.page.goto(path);
  const here = ben.page.getByRole("list", { name: "People here" });
  await here.getByRole("button", { name: /Follow Ana/ }).waitFor();
  await expect.poll(() => drawn(ben.page)).toEqual([address]);
  expect(await barriers(ben.page)).toEqual([]);
});

it("[FILE-51] a file that is no image is refused in words, and the picture stays", async () => {
  await ana.page.goto("/account");
  await expect.poll(() => drawn(ana.page)).toHaveLength(1);
  const before = await drawn(ana.page);
  await choose({ ...(await portrait("teal")), buffer: Buffer.from("<html>no picture</html>") });
  await ana.page.getByRole("alert").filter({ hasText: "This is no image" }).waitFor();
  expect(await button("Retry").count()).toBe(0);
  expect(await barriers(ana.page)).toEqual([]);
  await button("Cancel").click();
  await button("Change picture").waitFor();
  await expect.poll(() => drawn(ana.page)).toEqual(before);
});

it("[FILE-50] an upload without a connection waits, and continues by itself", async () => {
  const [before = ""] = await drawn(ana.page);
  await ana.context.setOffline(true);
  await choose(await portrait("maroon"));
  await ana.page.getByText("Waits for a connection").waitFor();
  await ana.context.setOffline(false);
  await button("Remove picture").waitFor();
  await expect.poll(async () => (await drawn(ana.page))[0] ?? before).not.toBe(before);
});

it("[FILE-54] a removed or unavailable picture leaves the initials", async () => {
  const beside = await ana.context.newPage();
  await beside.goto(path);
  const here = ben.page.getByRole("list", { name: "People here" });
  const follow = here.getByRole("button", { name: /Follow Ana/ });
  await follow.waitFor();
  await ben.page.route("**/avatars/**", (route) => route.abort());
  const tried = ben.page.waitForRequest("**/avatars/**");
  await ben.page.reload();
  await tried;
  await follow.waitFor();
  await expect.poll(() => ben.page.locator('img[src^="/avatars/"]').count()).toBe(0);
  await beside.close();
  await ben.page.unrouteAll();
  await button("Remove picture").click();
  await ana.page.getByText("Picture removed").first().waitFor();
  await button("Upload picture").waitFor();
  await expect.poll(() => drawn(ana.page)).toEqual([]);
});
