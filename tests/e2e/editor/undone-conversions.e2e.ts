import { beforeAll, describe, it } from "vitest";
import { type Person, person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";
import { begun, undoAndRedo } from "../support/undo";

let ana: Person;

beforeAll(async () => {
  ana = await person(await sharedBrowser(), "Ana");
});

describe("undo", () => {
  it.each([
    ["**b**", "strong"],
    ["*i*", "em"],
    ["~~s~~", "s"],
    ["`c`", "code"],
    ["### ", "h4"],
    ["- ", "ul"],
    ["1. ", "ol"],
    ["[] ", "ul[data-type=taskList]"],
    ["> ", "blockquote"],
    ["``` ", "pre"],
    ["---", "hr"],
  ])("[EDIT-22] restores %s as typed, and redo converts it again", async (typed, made) => {
    await begun(ana);
    await undoAndRedo(ana, typed, made);
  });
});
