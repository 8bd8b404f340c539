import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogueOf, emptyCatalogue, lawStatements } from "@/events/log/law-catalogue";
import type { Catalogue } from "@/events/log/law-catalogue";
import { aggregates, kindOfType, mayEmit } from "./catalog";

const file = new URL("../supabase/law.json", import.meta.url);
const reviewed = JSON.parse(readFileSync(file, "utf8")) as Catalogue;
const nobody = { phase: "live", role: null, isSelf: false, isAuthor: false };

describe("the catalogue", () => {
  it("[LOG-25] matches the reviewed law, so `npm run generate` changes nothing", () => {
    expect(lawStatements(reviewed, catalogueOf(aggregates, reviewed))).toEqual([]);
    const output = execFileSync("npx", ["tsx", "machines/compile.ts", "--check"], {
      cwd: new URL("..", import.meta.url),
      encoding: "utf8",
    });
    expect(output).toContain("up to date");
  });

  it("[LOG-25] gives a changed schema the next version", () => {
    const older: Catalogue = {
      ...reviewed,
      schemas: reviewed.schemas.map((row) =>
        row.eventType === "document.renamed" ? { ...row, carriesUpdate: true } : row,
      ),
    };
    const before = new Map(older.schemas.map(({ eventType, version }) => [eventType, version]));
    const moved = catalogueOf(aggregates, older).schemas.filter(
      ({ eventType, version }) => version !== before.get(eventType),
    );
    expect(
      moved.map(({ eventType, version }) => ({
        eventType,
        by: version - (before.get(eventType) ?? 0),
      })),
    ).toEqual([{ eventType: "document.renamed", by: 1 }]);
    expect(
      catalogueOf(aggregates, emptyCatalogue).schemas.every(({ version }) => version === 1),
    ).toBe(true);
  });

  it("has each event type once, named `kind.event`", () => {
    const types = aggregates.flatMap(({ schemas }) => Object.keys(schemas));
    expect(new Set(types).size).toBe(types.length);
    expect(types.filter((type) => !/^[a-z]+\.[a-z_]+$/.test(type))).toEqual([]);
    expect(kindOfType("auth.signed_in")).toBe("account");
    expect(kindOfType("unheard.of")).toBeUndefined();
  });
});

describe("mayEmit", () => {
  it("[LOG-12] allows what the role and phase permit", () => {
    expect(mayEmit("document.renamed", { ...nobody, role: "editor" })).toBe(true);
    expect(mayEmit("document.renamed", { ...nobody, role: "owner" })).toBe(true);
    expect(mayEmit("document.renamed", { ...nobody, role: "commenter" })).toBe(false);
    expect(mayEmit("document.renamed", nobody)).toBe(false);
    expect(mayEmit("document.renamed", { ...nobody, role: "editor", phase: "trashed" })).toBe(
      false,
    );
  });

  it("[LOG-12] allows a person's own events and those for everyone, and no unknown type", () => {
    expect(
      mayEmit("member.left", { ...nobody, phase: "active", role: "viewer", isSelf: true }),
    ).toBe(true);
    expect(mayEmit("member.left", { ...nobody, phase: "active", role: "owner" })).toBe(false);
    expect(mayEmit("workspace.created", { ...nobody, phase: "absent" })).toBe(true);
    expect(
      mayEmit("member.joined", { ...nobody, phase: "absent", role: "owner", isSelf: true }),
    ).toBe(false);
    // @ts-expect-error -- A type that no aggregate has does not compile, and is nobody's where it comes from elsewhere.
    expect(mayEmit("unheard.of", { ...nobody, role: "owner" })).toBe(false);
  });
});
