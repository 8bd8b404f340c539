import { expect, it } from "vitest";
import { FairTurns } from "./fair-turns";

it("[FILE-24] takes files in turns among those who send them, and no more of each than may wait", async () => {
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

it("[FILE-24] goes on behind work that failed", async () => {
  const turns = new FairTurns(3);
  const failed = turns.run("a", () => Promise.reject(new Error("broken")));
  const next = turns.run("a", () => Promise.resolve("next"));
  await expect(failed).rejects.toThrow("broken");
  expect(await next).toBe("next");
  expect(await turns.run("b", () => Promise.resolve("later"))).toBe("later");
});
