import { resolve } from "node:path";
import { expect, it } from "vitest";
import { showBundle } from "../support/bundles/bundle";
import { sharedBrowser } from "../support/browser/shared-browser";

/** Ten frames per revision: the edits of the history are a second apart. */
const frameMs = 100;
const revisions = 4;
const mostFrames = 100;
/** Effects of showing a revision may cause further frames. */
const mostFollowing = 10;

it("[HISTORY-35] renders nothing for an unchanged revision, and only its views for a new one", async () => {
  const browser = await sharedBrowser();
  const context = await browser.newContext();
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await showBundle(page, {
    title: "Player",
    entry: "tests/e2e/support/bundles/player-entry.tsx",
    mode: "development",
    workers: { "/worker.ts": "events/worker/worker.ts" },
    alias: {
      "@/components/comments/past/past-threads": resolve("tests/e2e/support/bundles/no-notes.ts"),
    },
  });
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
  const played = await page.evaluate(
    async ({ frameMs, revisions, mostFrames, mostFollowing }) => {
      /** Draws frames with the player's clock stopped, until one of them renders nothing. */
      const rest = async () => {
        const rendered = new Set<string>();
        for (let at = 0; at < mostFollowing; at += 1) {
          const parts = Object.keys((await window.frame(0)).renders);
          if (parts.length === 0) break;
          for (const part of parts) rendered.add(part);
        }
        return [...rendered];
      };
      await rest();
      let { shown } = await window.frame(0);
      const forSame: string[][] = [];
      const forNew: string[][] = [];
      for (let at = 0; at < mostFrames && forNew.length < revisions; at += 1) {
        const frame = await window.frame(frameMs);
        const parts = Object.keys(frame.renders);
        if (frame.shown === shown) forSame.push(parts);
        else forNew.push([...new Set([...parts, ...(await rest())])].sort());
        shown = frame.shown;
      }
      return { forSame, forNew };
    },
    { frameMs, revisions, mostFrames, mostFollowing },
  );
  expect(played.forSame.length).toBeGreaterThan(2 * revisions);
  expect(played.forSame.filter((parts) => parts.length > 0)).toEqual([]);
  expect(played.forNew).toEqual(Array.from({ length: revisions }, () => ["controlBar", "page"]));
  expect(faults).toEqual([]);
  await context.close();
});
