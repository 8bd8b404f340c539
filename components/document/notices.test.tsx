import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Notices } from "./notices";

const bannersOf = (fullness: number, access: "write" | "read" = "write") =>
  renderToStaticMarkup(
    <Notices
      access={access}
      lowered={false}
      comments={false}
      trashed={false}
      unreadable={null}
      fullness={fullness}
      status={null}
      live={null}
      userId="ana"
      onRestore={null}
      onCopied={() => undefined}
    />,
  );

it("[LOG-59] tells who may write that a document is almost full, or full, and nobody else", () => {
  expect(bannersOf(0.89)).not.toContain("full");
  expect(bannersOf(0.937)).toContain("This document is almost full (93%). Delete text");
  expect(bannersOf(1)).toContain("This document is full. Delete text");
  expect(bannersOf(1, "read")).not.toContain("full");
});
