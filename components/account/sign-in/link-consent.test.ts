import { expect, test } from "vitest";
import { asksFirst } from "./link-consent";

const [ana, ben] = [{ userId: "ana" }, { userId: "ben" }];

test.each([
  ["none", null, ana, false],
  ["same-origin", null, ana, false],
  ["cross-site", null, ana, true],
  ["same-site", null, ana, true],
  ["", null, ana, true],
  ["none", null, null, false],
  ["cross-site", null, null, true],
  ["none", ben, ana, true],
  ["same-origin", ben, ana, true],
  ["cross-site", ben, ana, true],
  ["none", ben, null, true],
  ["none", ana, ana, false],
  ["cross-site", ana, ana, false],
])(
  "[ACC-60] a link from site %j, session %j, account %j: asks first %j",
  (site, present, account, asks) => {
    expect(asksFirst({ site, present, account })).toBe(asks);
  },
);
