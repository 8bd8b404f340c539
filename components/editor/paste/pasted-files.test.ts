import { expect, test } from "vitest";
import { leftOutSentence } from "./pasted-files";

const brought = { pictures: 0, withText: false, dropped: false };

test("[EDIT-23] the sentence about left-out images gives their number and what to do", () => {
  expect(leftOutSentence({ ...brought, pictures: 1 })).toBe(
    "The image wasn’t added: nothing is fetched from other pages. Your text is unchanged. Save it and add it here.",
  );
  expect(leftOutSentence({ ...brought, pictures: 3, withText: true })).toBe(
    "The text was pasted, but the 3 images in it were left out: nothing is fetched " +
      "from other pages. Copy or save each by itself and add it here.",
  );
  expect(leftOutSentence({ ...brought, pictures: 1, withText: true, dropped: true })).toMatch(
    /^The text was dropped, but the image in it was left out/,
  );
});
