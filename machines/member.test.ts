import { describe, expect, it } from "vitest";
import { atLeast, keepsAnOwner, roles } from "./member";
import type { Role } from "./member";

const folded = (id: string, role: Role, phase = "active") => ({
  id,
  folded: { phase, state: { role, joinedAt: "", color: 8 } },
});

describe("the last owner", () => {
  it("[LOG-18] cannot leave, be removed or get a lesser role", () => {
    const members = [
      folded("ana", "owner"),
      folded("ben", "editor"),
      folded("carol", "owner", "left"),
    ];
    expect(keepsAnOwner(members, "ana", null)).toBe(false);
    expect(keepsAnOwner(members, "ana", "editor")).toBe(false);
    expect(keepsAnOwner(members, "ana", "owner")).toBe(true);
  });

  it("[LOG-18] is not the last when there is another", () => {
    const members = [folded("ana", "owner"), folded("ben", "owner")];
    expect(keepsAnOwner(members, "ana", null)).toBe(true);
    expect(keepsAnOwner([folded("ana", "owner"), folded("ben", "editor")], "ben", null)).toBe(true);
  });
});

it("a role includes the rights of the lower roles", () => {
  expect(roles.map((role) => roles.filter((needed) => atLeast(role, needed)).length)).toEqual([
    4, 3, 2, 1,
  ]);
});
