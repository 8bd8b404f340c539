import { describe, expect, test } from "vitest";
import { readSettings } from "./settings";

describe("the settings", () => {
  test("default to port 3000 of this machine alone, with data in .data", () => {
    expect(readSettings({}, [], "/app")).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      dataDir: "/app/.data",
      hosted: false,
      dev: false,
    });
  });

  test("name the hosted project only when address and key are both there", () => {
    const both = {
      NEXT_PUBLIC_SUPABASE_URL: "https://x.supabase.co",
      NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: "sb_publishable_x",
    };
    expect(readSettings(both, [], "/app").hosted).toBe(true);
    expect(() =>
      readSettings({ NEXT_PUBLIC_SUPABASE_URL: both.NEXT_PUBLIC_SUPABASE_URL }, [], "/app"),
    ).toThrow("or neither");
  });

  test.each([
    { PORT: "0" },
    { PORT: "80a" },
    { PORT: "70000" },
    { REALTIME_PLAN: "gold" },
    { AUTH_RATE_LIMIT: "-1" },
    { LOG_FORMAT: "xml" },
    { LOG_LEVEL: "loud" },
    { METRICS_TOKEN: "short" },
    { METRICS_TOKEN: "with a space in the middle" },
  ])("refuse %j with a sentence", (variables) => {
    expect(() => readSettings(variables, [], "/app")).toThrow(/must be/);
  });
});
