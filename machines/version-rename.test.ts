import { expect, it } from "vitest";
import type { Refusal } from "@/events/log/refusal";
import { renameVersion } from "./version-rename";

const replaced: Refusal = { name: "version-conflict", reason: "replaced-since", detail: "" };

/** A version in the log. Other people rename it before each of the first answers. */
function log(name: string, others: string[] = []) {
  const state = { name, proposed: [] as string[] };
  return {
    state,
    nameNow: async () => state.name,
    propose: async (wanted: string, replaces: string) => {
      state.name = others.shift() ?? state.name;
      state.proposed.push(wanted);
      if (replaces !== state.name) return { ok: false as const, refusal: replaced };
      state.name = wanted;
      return { ok: true as const };
    },
  };
}

it("[VERSION-4] replaces the name that its writer saw", async () => {
  const version = log("Draft");
  expect(await renameVersion(version, "Draft of May", "Draft")).toEqual({
    ok: true,
    name: "Draft of May",
  });
  expect(version.state.proposed).toEqual(["Draft of May"]);
});

it("[VERSION-4] merges the words of two people who rename a version at the same time", async () => {
  const version = log("Draft", ["First draft"]);
  expect(await renameVersion(version, "Draft of May", "Draft")).toEqual({
    ok: true,
    name: "First draft of May",
  });
  expect(version.state.name).toBe("First draft of May");
});

it("[VERSION-4] proposes nothing more when another person gave the same name", async () => {
  const version = log("Draft", ["Draft of May"]);
  expect(await renameVersion(version, "Draft of May", "Draft")).toEqual({
    ok: true,
    name: "Draft of May",
  });
  expect(version.state.proposed).toHaveLength(1);
});

it("[VERSION-4] keeps the first name when two do not fit into one, and refuses the second", async () => {
  const version = log("", ["b".repeat(100)]);
  const answer = await renameVersion(version, "a".repeat(100), "");
  expect(answer).toMatchObject({ ok: false, refusal: replaced });
  expect(version.state.name).toBe("b".repeat(100));
});

it("[VERSION-4] gives up after five tries if others keep renaming it", async () => {
  const version = log("a", ["b", "c", "d", "e", "f", "g", "h"]);
  expect(await renameVersion(version, "a x", "a")).toMatchObject({ ok: false });
  expect(version.state.proposed).toHaveLength(5);
});
