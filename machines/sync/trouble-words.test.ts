import { describe, expect, it } from "vitest";
import { supabaseStore } from "@/events/log/store";
import { logText, type, world } from "./live-world.fixture";
import { status } from "./sync-status";

/**
 * The result that supabase-js returns for an answer that is not the backend's: its body as a
 * message, and no code.
 */
type Answer = { data: null; error: { message: string }; status: number };
const answering = (status: number, message: string) => async (): Promise<Answer> => ({
  data: null,
  error: { message },
  status,
});
const hangs = () => new Promise<Answer>(() => {});

type Case = {
  name: string;
  answer: () => Promise<Answer>;
  pending: { label: string; sentence: RegExp; action: string | null };
  calm: string;
};

const cases: Case[] = [
  {
    name: "there is no connection",
    answer: answering(0, "TypeError: Failed to fetch"),
    pending: { label: "Offline", sentence: /^The server can't be reached\. Your/, action: null },
    calm: "Offline",
  },
  {
    name: "the server hangs",
    answer: hangs,
    pending: { label: "Not saved", sentence: /^The server doesn't answer\./, action: "retry" },
    calm: "Not connected",
  },
  {
    name: "the server fails",
    answer: answering(503, ""),
    pending: { label: "Not saved", sentence: /^The server is in trouble\./, action: "retry" },
    calm: "Not connected",
  },
  {
    name: "a proxy refuses",
    answer: answering(403, "<h1>Forbidden</h1>"),
    pending: { label: "Not saved", sentence: /such as a proxy, refuses/, action: "retry" },
    calm: "Not connected",
  },
  {
    name: "a proxy wants a login of its own",
    answer: answering(401, "<h1>Who are you?</h1>"),
    pending: { label: "Not saved", sentence: /such as a proxy, refuses/, action: "retry" },
    calm: "Not connected",
  },
  {
    name: "a network answers with its login page",
    answer: answering(200, "<!doctype html><title>Sign in to Hotel Wi-Fi</title>"),
    pending: { label: "Not saved", sentence: /ask you to sign in first/, action: "retry" },
    calm: "Not connected",
  },
  {
    name: "a proxy refuses a change of this size",
    answer: answering(413, "<h1>Too large</h1>"),
    pending: { label: "Not saved", sentence: /no change of this size.*copy/, action: "move" },
    calm: "Not connected",
  },
  {
    name: "there were too many requests",
    answer: answering(429, ""),
    pending: { label: "Not saved", sentence: /takes no more requests/, action: "retry" },
    calm: "Not connected",
  },
];

function troubled(answer: () => Promise<Answer>) {
  const there = world();
  const tab = there.backend.tab("ana", "1");
  const store = tab.store();
  const rpc = () => {
    const call = answer();
    return Object.assign(call, { setHeader: () => call });
  };
  const outside = supabaseStore({ rpc } as never);
  let isTroubled = false;
  const through: typeof store = {
    ...store,
    append: (...call) => (isTroubled ? outside : store).append(...call),
    read: (...call) => (isTroubled ? outside : store).read(...call),
  };
  const ana = there.open(tab, { store: through });
  return { ...there, ana, begin: () => (isTroubled = true), end: () => (isTroubled = false) };
}

describe.each(cases)("where $name", ({ answer, pending, calm }) => {
  it("[SYNC-14] [SYNC-82] says so, keeps the session, and sends unsent text afterwards", async () => {
    const { clock, backend, ana, begin, end } = troubled(answer);
    await clock.advance(1_000);
    begin();
    type(ana, "kept");
    await clock.advance(20_000);
    const shown = status(ana.sync.getSnapshot());
    expect(shown).toMatchObject(pending);
    expect(shown.sentence).toContain("on this device");
    expect(ana.sync.getSnapshot().value.session).toBe("present");
    end();
    if (answer === hangs) return;
    await clock.until(() => logText(backend) === "kept", 40_000);
    await clock.until(() => status(ana.sync.getSnapshot()).label === "Saved");
  });

  it("[SYNC-14] says so when nothing is unsent", async () => {
    const { clock, ana, begin } = troubled(answer);
    await clock.advance(1_000);
    begin();
    await clock.advance(30_000);
    expect(status(ana.sync.getSnapshot())).toMatchObject({ label: calm, tone: "warning" });
  });
});

it('[SYNC-14] says "You\'re offline" only when the browser reports it, too', async () => {
  const { clock, ana, begin } = troubled(hangs);
  await clock.advance(1_000);
  begin();
  ana.sync.send({ type: "offline" });
  await clock.advance(20_000);
  expect(status(ana.sync.getSnapshot())).toMatchObject({
    label: "Offline",
    sentence: expect.stringMatching(/^You're offline\./),
  });
  ana.sync.send({ type: "online" });
  expect(status(ana.sync.getSnapshot()).label).toBe("Not connected");
});
