import { expect, it } from "vitest";
import { silentRoot } from "@/components/ui/silent-root.fixture";
import { useCommands, useOfferedCommands } from "./command-handlers";
import type { CommandHandlers } from "./command-handlers";

const shown: string[][] = [];

function Palette() {
  shown.push([...useOfferedCommands()]);
  return null;
}

function Part({ offers }: { offers: CommandHandlers }) {
  useCommands(offers);
  return null;
}

const run = () => undefined;

it("[PALETTE-5] an open palette follows commands that are added, changed and removed", async () => {
  const root = await silentRoot();
  const last = () => shown.at(-1);
  await root.render([<Palette key="palette" />]);
  expect(last()).toEqual([]);
  const page = (offers: CommandHandlers) => [
    <Palette key="palette" />,
    <Part key="part" offers={offers} />,
  ];
  await root.render(page({ versions: run, favourite: run }));
  expect(last()).toEqual(["versions", "favourite"]);
  await root.render(page({ versions: run, favourite: undefined, unfavourite: run }));
  expect(last()).toEqual(["versions", "unfavourite"]);
  const times = shown.length;
  await root.render([<Palette key="palette" />]);
  expect(last()).toEqual([]);
  expect(shown.length).toBeGreaterThan(times);
  await root.end();
});
