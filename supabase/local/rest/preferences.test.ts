import { expect, test } from "vitest";
import { asksForPlan, withExactCount } from "./preferences";

const preferring = (...values: string[]) => {
  const headers = new Headers();
  for (const value of values) headers.append("prefer", value);
  withExactCount(headers);
  return headers.get("prefer");
};

test.each([
  [["count=planned"], "count=exact"],
  [["count=estimated"], "count=exact"],
  [["count=exact"], "count=exact"],
  [["count=none"], ""],
  [["return=representation, count=planned"], "return=representation, count=exact"],
  [["return=minimal", "count=estimated", "tx=commit"], "return=minimal, tx=commit, count=exact"],
  [["count=exact,count=planned"], "count=exact"],
  [["count=none, count=planned"], "count=exact"],
  [[" Count = Planned "], "count=exact"],
  [["COUNT=planned;q=1"], "count=exact"],
  [['"count"="planned"'], "count=exact"],
  [["count\t=\tplanned"], "count=exact"],
  [["count=planned return=minimal"], "count=exact"],
  [["resolution=merge-duplicates"], "resolution=merge-duplicates"],
  [[], null],
])("[API-10] %j of a caller other than the service becomes %j", (values, left) => {
  expect(preferring(...values)).toBe(left);
});

test("[API-10] a plan is recognised among other types", () => {
  expect(
    asksForPlan(
      new Headers({ accept: 'application/json, application/VND.pgrst.plan+json; for="text/csv"' }),
    ),
  ).toBe(true);
  expect(asksForPlan(new Headers({ accept: "application/json" }))).toBe(false);
});
