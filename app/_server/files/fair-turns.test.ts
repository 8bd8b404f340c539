import { expect, it } from "vitest";
import { FairTurns } from "./fair-turns";

it("[FILE-24] takes turns between senders, and refuses a sender's file beyond those that may wait", async () => {
  const turns = new FairTurns(3);
  const done: string[] = [];
  let running = 0;
  const file = (name: string) =>
    turns.run(name.slice(0, 1), async () => {
      running += 1;
      expect(running).toBe(1);
      await Promise.resolve();
      running -= 1;
      done.push(name);
      return name;
    });
  const asked = ["a1", "a2", "a3", "a4", "a5", "b1", "c1", "b2"].map(file);
  expect(await Promise.all(asked)).toEqual(["a1", "a2", "a3", "a4", null, "b1", "c1", "b2"]);
  expect(done).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

it("[FILE-24] goes on after failed work", async () => {
  const turns = new FairTurns(3);
  const failed = turns.run("a", () => Promise.reject(new Error("broken")));
  const next = turns.run("a", () => Promise.resolve("next"));
  await expect(failed).rejects.toThrow("broken");
  expect(await next).toBe("next");
  expect(await turns.run("b", () => Promise.resolve("later"))).toBe("later");
});

it("[FILE-24] drops waiting work of a disconnected caller, and frees its place", async () => {
  const turns = new FairTurns(1);
  let finish = () => {};
  const first = turns.run("a", () => new Promise<void>((settle) => (finish = settle)));
  const leaving = new AbortController();
  const done: string[] = [];
  const work = (name: string) => () => Promise.resolve(done.push(name));
  const dropped = turns.run("a", work("dropped"), leaving.signal);
  const next = turns.run("b", work("next"));
  leaving.abort(new Error("gone"));
  await expect(dropped).rejects.toThrow("gone");
  // The aborted work's place is free again.
  const again = turns.run("a", work("again"));
  finish();
  await Promise.all([first, next, again]);
  expect(done).toEqual(["next", "again"]);
  await expect(turns.run("a", work("late"), leaving.signal)).rejects.toThrow("gone");
});
