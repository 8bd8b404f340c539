import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { PeopleHere } from "./people-here";

const button = (name: string) => {
  const html = renderToStaticMarkup(
    <PeopleHere
      people={[{ userId: "ben", name, color: 1, idle: false, me: false }]}
      onFollow={() => undefined}
    />,
  );
  const [, label = "", shown = ""] =
    /<button[^>]* aria-label="([^"]*)"[^>]*><span[^>]*>([^<]*)</.exec(html) ?? [];
  return { label, shown };
};

it.each([
  ["Ben", "Follow Ben"],
  ["Ben Carter", "Follow Ben (BC)"],
  ["Ben de Carter", "Follow Ben (BC)"],
])("[A11Y-6] the label of %s’s follow button has its visible text", (name, called) => {
  const { label, shown } = button(name);
  expect(label).toBe(called);
  expect(shown).not.toBe("");
  expect(label.toLowerCase()).toContain(shown.toLowerCase());
});
