import { describe, expect, it } from "vitest";
import { bylineOf, sinceWords } from "./byline";

const person = (name: string) => ({ userId: name, name, color: 0 });
const clock = { now: Date.parse("2026-11-21T12:00:00Z"), zone: "UTC" };

describe("the byline", () => {
  it("names the writers and the last change", () => {
    expect(
      bylineOf(
        {
          writers: ["Ana Marić", "Ben Okafor", "Carol Lind"].map(person),
          createdAt: "2026-11-03T09:00:00Z",
          changedAt: "2026-11-21T11:59:30Z",
          changedBy: person("Ben Okafor"),
        },
        clock,
      ),
    ).toBe("Ana Marić, Ben Okafor and Carol Lind. Created 3 November, changed just now by Ben.");
  });

  it("uses minutes, hours or a date", () => {
    expect(sinceWords("2026-11-21T11:30:00Z", clock)).toBe("30 minutes ago");
    expect(sinceWords("2026-11-21T09:00:00Z", clock)).toBe("3 hours ago");
    expect(sinceWords("2026-11-14T09:00:00Z", clock)).toBe("on 14 November");
  });
});
