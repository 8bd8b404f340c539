import type { Browser } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import {
  choose,
  followMail,
  inviteByLink,
  newDocument,
  person,
  saved,
  text,
} from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let ben: Person;
let carol: Person;
let workspace: string;
let path: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  ben = await person(browser, "Ben");
  carol = await person(browser, "Carol");
  ({ workspace } = ana);
  path = await newDocument(ana, "Rota");
  await text(ana.page).click();
  await ana.page.keyboard.type("Monday: Ana. ");
  await saved(ana.page);
  await inviteByLink(ana, ben, workspace, "can edit");
});

const member = (who: Person, name: string) =>
  who.page.getByRole("list", { name: "Members" }).getByRole("listitem").filter({ hasText: name });

describe("people of a workspace", () => {
  it("[PEOPLE-1] the list shows each person online and their document", async () => {
    await ana.page.goto(`/w/${workspace}`);
    await ben.page.goto(path);
    await text(ben.page).waitFor();
    const online = ana.page.getByRole("list", { name: "People online" });
    await expect.poll(() => online.innerText()).toContain("Ben");
    await expect
      .poll(() => online.getByRole("listitem").filter({ hasText: "Ben" }).innerText())
      .toContain("Rota");
  });

  it("[PEOPLE-2] a closed window leaves the list", async () => {
    await ben.page.goto("about:blank");
    const online = ana.page.getByRole("list", { name: "People online" });
    await expect.poll(() => online.innerText()).not.toContain("Ben");
  });

  it("[PEOPLE-3] [WS-4] an invitation by mail reaches its address and admits that person", async () => {
    await ana.page.goto(`/w/${workspace}/members`);
    await ana.page.getByRole("button", { name: "Invite" }).click();
    const dialog = ana.page.getByRole("dialog");
    await dialog.getByLabel("Email").fill(carol.email);
    await choose(ana.page, dialog.getByRole("combobox", { name: "Role", exact: true }), "can read");
    await dialog.getByRole("button", { name: "Invite", exact: true }).click();
    await dialog.getByText(`Invited ${carol.email}.`).waitFor();
    await followMail(carol.page, carol.email);
    await carol.page.getByRole("button", { name: /accept|join/i }).click();
    await carol.page.waitForURL(new RegExp(`/w/${workspace}`));
  });

  it("[PEOPLE-4] a viewer reads, cannot write, and is told so", async () => {
    await carol.page.goto(path);
    await expect.poll(() => carol.page.locator("main").innerText()).toContain("Monday: Ana.");
    expect(await text(carol.page).getAttribute("aria-readonly")).toBe("true");
    await expect
      .poll(() => carol.page.locator("body").innerText())
      .toMatch(/read this document but (not|no longer) edit/i);
  });

  it("[PEOPLE-5] [WS-5] a downgrade makes the other person’s open text read-only", async () => {
    await ben.page.goto(path);
    await text(ben.page).waitFor();
    await saved(ben.page);
    await ana.page.goto(`/w/${workspace}/members`);
    await choose(ana.page, member(ana, "Ben").getByRole("combobox"), "can read");
    await expect.poll(() => text(ben.page).getAttribute("aria-readonly")).toBe("true");
  });

  it(
    "[PEOPLE-6] [WS-5] a removal clears the open window with an explanation, and sends " +
      "nothing afterwards",
    async () => {
      const frames: string[] = [];
      await carol.page.goto(path);
      carol.page.on("websocket", (socket) =>
        socket.on("framereceived", ({ payload }) => frames.push(payload.toString())),
      );
      await carol.page.reload();
      await text(carol.page).waitFor();
      await ana.page.goto(`/w/${workspace}/members`);
      await member(ana, "Carol").getByRole("button", { name: "Actions for Carol" }).click();
      await ana.page.getByRole("menuitem", { name: "Remove from workspace" }).click();
      await ana.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      await expect
        .poll(() => carol.page.locator("body").innerText())
        .toMatch(/removed|no longer|isn’t shared|isn't shared/i);
      const before = frames.length;
      await ana.page.goto(path);
      await text(ana.page).click();
      await ana.page.keyboard.type("canary-7f3a");
      await saved(ana.page);
      expect(frames.slice(before).join("")).not.toContain("canary");
      expect(
        frames.slice(before).filter((frame) => frame.includes('"log"') || frame.includes("y-")),
      ).toEqual([]);
    },
  );

  it("[PEOPLE-7] [WS-3] the last owner cannot leave", async () => {
    await ana.page.goto(`/w/${workspace}/members`);
    await member(ana, "Ana").getByRole("button", { name: "Actions for Ana" }).click();
    const leave = ana.page.getByRole("menuitem", { name: /^Leave workspace/ });
    await leave.waitFor();
    expect(await leave.getAttribute("aria-disabled")).toBe("true");
  });
});

describe("documents of a workspace", () => {
  it("[DOCS-1] a document moves to the trash and back at once", async () => {
    await ana.page.goto(`/w/${workspace}`);
    const documents = ana.page.getByRole("list", { name: /documents$/i });
    const row = documents.getByRole("listitem").filter({ hasText: "Rota" });
    await row.getByRole("button").last().click();
    await ana.page.getByRole("menuitem", { name: /trash/i }).click();
    await expect.poll(() => documents.getByText("Rota").count()).toBe(0);
    // Announced once recorded: the page shows it earlier and is left then.
    await ana.page
      .getByText(/^Moved .* to trash/)
      .first()
      .waitFor();
    await ana.page.goto(`/w/${workspace}/trash`);
    await ana.page
      .getByRole("listitem")
      .filter({ hasText: "Rota" })
      .getByRole("button", { name: /restore/i })
      .click();
    await ana.page
      .getByText(/^Restored/)
      .first()
      .waitFor();
    await ana.page.goto(`/w/${workspace}`);
    await expect.poll(() => documents.getByText("Rota").count()).toBe(1);
  });

  it("[DOCS-3] a page shows events from before its channel joined", async () => {
    const late = await ben.context.newPage();
    // The page is loaded, but its channel has not joined: events of this time are not announced
    // here.
    const held: (string | Buffer)[] = [];
    let join = () => {};
    await late.routeWebSocket(/realtime/, (socket) => {
      let forward = (message: string | Buffer): void => {
        held.push(message);
      };
      socket.onMessage((message) => forward(message));
      join = () => {
        const server = socket.connectToServer();
        forward = (message) => server.send(message);
        for (const message of held.splice(0)) forward(message);
      };
    });
    await late.goto(`/w/${workspace}`);
    const documents = late.getByRole("list", { name: /documents$/i });
    await documents.getByText("Rota").waitFor();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await ana.page.goto(`/w/${workspace}`);
    await newDocument(ana, "Begun meanwhile");
    await saved(ana.page);
    expect(await documents.getByText("Begun meanwhile").count()).toBe(0);
    join();
    await documents.getByText("Begun meanwhile").waitFor();
    await late.close();
  });

  it("[DOCS-2] the activity shows a move to the trash", async () => {
    await ana.page.goto(`/w/${workspace}/activity`);
    const feed = ana.page.getByRole("feed", { name: "Activity" });
    await expect.poll(() => feed.innerText()).toMatch(/Rota/);
    expect(await feed.innerText()).toMatch(/trash/i);
  });
});
