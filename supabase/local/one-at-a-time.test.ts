import { expect, test } from "vitest";
import { OneAtATime } from "./one-at-a-time";

test(
  "[AUTH-5] tasks of one key run one after the other, also after a failed one; " +
    "those of another key run at once",
  async () => {
    const turns = new OneAtATime();
    const logged: string[] = [];
    const task =
      (name: string, fails = false) =>
      async () => {
        logged.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        logged.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      };
    const answers = await Promise.allSettled([
      turns.run("a", task("first", true)),
      turns.run("a", task("second")),
      turns.run("b", task("other")),
    ]);
    expect(
      answers.map((answer) => (answer.status === "fulfilled" ? answer.value : "failed")),
    ).toEqual(["failed", "second", "other"]);
    expect(logged.filter((line) => !line.startsWith("other"))).toEqual([
      "first begins",
      "first ends",
      "second begins",
      "second ends",
    ]);
    expect(logged.indexOf("other begins")).toBeLessThan(logged.indexOf("first ends"));
  },
);
