import { afterEach, expect, it, vi } from "vitest";
import { pair } from "@/components/editor/bound-text.fixture";
import { blockAtAddress } from "@/components/editor/blocks/block-address";
import { copyBlockLink } from "./copy-block-link";

afterEach(() => vi.unstubAllGlobals());

it("[LINK-1] copies an address that leads to the block, and says so", async () => {
  const { ana, ben } = pair();
  ana.type("one\ntwo", 1);
  const copied: string[] = [];
  const toasts: string[] = [];
  vi.stubGlobal("location", { origin: "https://palimpsest.example", pathname: "/d/7" });
  await copyBlockLink(ana, ana.find("two"), (text, done) => {
    copied.push(text);
    toasts.push(done);
    return Promise.resolve();
  });
  const [address = ""] = copied;
  expect(address).toMatch(/^https:\/\/palimpsest\.example\/d\/7#\d+-\d+$/);
  expect(blockAtAddress(ben.state, new URL(address).hash)).toBe(ben.find("two") - 1);
  expect(toasts).toEqual(["Link copied"]);
  ana.destroy();
  ben.destroy();
});
