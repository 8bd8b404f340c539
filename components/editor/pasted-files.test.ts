import { expect, test } from "vitest";
import { leftOutSentence } from "./pasted-files";

const picture = { name: "pier.png", type: "image/png" };
const report = { name: "report.pdf", type: "application/pdf" };
const brought = { files: [], pictures: 0, withText: false, dropped: false };

test("[EDIT-23] what is left out is told of by what it is and how many, with what can be done", () => {
  expect(leftOutSentence({ ...brought, files: [picture] })).toBe(
    "The image wasn’t added: documents can’t hold images yet. Your text is unchanged. You can add a link instead.",
  );
  expect(leftOutSentence({ ...brought, files: [report, picture], dropped: true })).toMatch(
    /^The 2 files weren’t added/,
  );
  expect(leftOutSentence({ ...brought, pictures: 1 })).toMatch(/^The image wasn’t added/);
  expect(leftOutSentence({ ...brought, pictures: 3, withText: true })).toBe(
    "The text was pasted, but the 3 images in it were left out: documents can’t hold " +
      "images yet. You can add a link instead.",
  );
  expect(leftOutSentence({ ...brought, pictures: 1, withText: true, dropped: true })).toMatch(
    /^The text was dropped, but the image in it was left out/,
  );
});

test(
  "[EDIT-23] nothing is said where nothing is left out: of words, and of words that " +
    "come with another form of them",
  () => {
    expect(leftOutSentence(brought)).toBeNull();
    expect(leftOutSentence({ ...brought, withText: true })).toBeNull();
    expect(leftOutSentence({ ...brought, files: [picture], withText: true })).toBeNull();
  },
);
