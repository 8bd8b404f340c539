import { expect, it } from "vitest";
import { usageWords } from "./usage-words";

const most = 5 * 2 ** 30;

it("[FILE-17] says how much file storage is used, and how to make room when it runs out", () => {
  expect(usageWords({ bytes: 0, most })).toEqual({
    used: "0 MB of 5 GB used",
    advice: "Images and files of all documents. One that several documents show counts once.",
  });
  expect(usageWords({ bytes: 1, most }).used).toBe("1 MB of 5 GB used");
  expect(usageWords({ bytes: 1.25 * 2 ** 30, most }).used).toBe("1.3 GB of 5 GB used");
  expect(usageWords({ bytes: most * 0.9, most }).advice).toMatch(/^Almost full\. To make room/);
  expect(usageWords({ bytes: most, most })).toEqual({
    used: "5 GB of 5 GB used",
    advice:
      "No image or file can be added, and writing goes on. " +
      "To make room, delete documents with files permanently from the trash.",
  });
});
