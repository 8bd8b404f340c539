import { describe, expect, it } from "vitest";
import { KnownTitles } from "./known-titles";

const row = (title: string, version: number) => ({ id: "atlas", title, version });

describe("the title of a reopened document", () => {
  it("[DOCS-22] is the newest that this tab has read", () => {
    const titles = new KnownTitles();
    expect(titles.of(row("", 1))).toBe("");
    titles.note([row("Atlas", 3)]);
    expect(titles.of(row("", 1))).toBe("Atlas");
    expect(titles.of(row("Maps", 3))).toBe("Maps");
    expect(titles.of({ ...row("", 1), id: "other" })).toBe("");
  });

  it("[DOCS-22] is the one given here until it is recorded and read", async () => {
    const titles = new KnownTitles();
    let record = () => {};
    const recorded = new Promise<boolean>((resolve) => (record = () => resolve(true)));
    const first = titles.give("atlas", "Atl", Promise.resolve(true));
    const second = titles.give("atlas", "Atlas", recorded);
    await first;
    expect(titles.of(row("", 1))).toBe("Atlas");
    titles.note([row("Atlas", 3)]);
    record();
    expect(await second).toBe(true);
    expect(titles.of(row("", 1))).toBe("Atlas");
    expect(titles.of(row("Maps", 4))).toBe("Maps");
  });

  it("[DOCS-22] is the old one if the new one was refused", async () => {
    const titles = new KnownTitles();
    expect(await titles.give("atlas", "Atlas", Promise.resolve(false))).toBe(false);
    expect(titles.of(row("Maps", 1))).toBe("Maps");
    await expect(
      titles.give("atlas", "Atlas", Promise.reject(new Error("gone"))),
    ).rejects.toThrow();
    expect(titles.of(row("Maps", 1))).toBe("Maps");
  });
});
