import { afterEach, expect, it, vi } from "vitest";
import { cachePage } from "./device-pages";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

it.each(["there is a newer one", "there is no network"])(
  "[OFFLINE-25] checks for a newer service worker with each document, and continues if %s",
  async (how) => {
    const posted: unknown[] = [];
    const registration = {
      update: () => {
        posted.push("update");
        return how === "there is no network"
          ? Promise.reject(new TypeError("offline"))
          : Promise.resolve();
      },
    };
    const worker = {
      postMessage: ({ page, person }: { page: string; person: string }) =>
        posted.push({ page, person }),
    };
    vi.stubEnv("NODE_ENV", "production");
    vi.stubGlobal("location", { pathname: "/d/1" });
    vi.stubGlobal("localStorage", { getItem: () => "ana" });
    vi.stubGlobal("navigator", {
      serviceWorker: {
        controller: worker,
        ready: Promise.resolve({ active: worker }),
        register: () => Promise.resolve(registration),
      },
    });
    await cachePage("ana");
    expect(posted).toEqual(["update", { page: "/d/1", person: "ana" }]);
  },
);
