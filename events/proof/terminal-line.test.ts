import { expect, it } from "vitest";
import { terminalLine } from "./terminal-line";

it("[BUNDLE-13] words of a file give a terminal no command, no line break and no direction", () => {
  expect(terminalLine("Plans\u001b[2K\rVerified.\n")).toBe(
    "Plans\\u001b[2K\\u000dVerified.\\u000a",
  );
  expect(terminalLine("\u009b31mred \u202ednE\u2028")).toBe("\\u009b31mred \\u202ednE\\u2028");
  expect(terminalLine("“Entwürf” 𝄞 שלום 👩‍👧")).toBe("“Entwürf” 𝄞 שלום 👩‍👧");
});
