import { expect, test } from "vitest";
import { emailProblem } from "./form-text";

test("questions only addresses that cannot be valid", () => {
  for (const email of [
    "ana@example.com",
    "a+b@x.co",
    "ünï@exämple.de",
    "o'neil@sub.domain.example",
  ]) {
    expect(emailProblem(email)).toBeNull();
  }
  expect(emailProblem("")).toMatch(/Enter/);
  expect(emailProblem("ana")).toMatch(/looks like/);
  expect(emailProblem("@example.com")).toMatch(/looks like/);
  expect(emailProblem("a@b@c.de")).toMatch(/looks like/);
  expect(emailProblem("tomasz@harbourpost")).toMatch(/no ending/);
  expect(emailProblem("ana ma@example.com")).toMatch(/spaces/);
});
