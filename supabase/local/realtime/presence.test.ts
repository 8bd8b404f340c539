import { describe, expect, it } from "vitest";
import { Presence } from "./presence";

describe("presence", () => {
  it("[RT-40] groups the tabs of one person under one key", () => {
    const presence = new Presence<string>();
    presence.track("tab 1", "ana", { at: 1 }, "r1");
    presence.track("tab 2", "ana", { at: 2 }, "r2");
    presence.track("tab 3", "ben", {}, "r3");
    expect(presence.state()).toEqual({
      ana: {
        metas: [
          { at: 1, phx_ref: "r1" },
          { at: 2, phx_ref: "r2" },
        ],
      },
      ben: { metas: [{ phx_ref: "r3" }] },
    });
    expect(presence.untrack("tab 1")).toEqual({
      joins: {},
      leaves: { ana: { metas: [{ at: 1, phx_ref: "r1" }] } },
    });
    expect(presence.state().ana?.metas).toEqual([{ at: 2, phx_ref: "r2" }]);
  });

  it("[RT-41] reports a change as one leave and one join that names its predecessor", () => {
    const presence = new Presence<string>();
    presence.track("tab", "ana", { at: 1 }, "r1");
    expect(presence.track("tab", "ana", { at: 2 }, "r2")).toEqual({
      joins: { ana: { metas: [{ at: 2, phx_ref: "r2", phx_ref_prev: "r1" }] } },
      leaves: { ana: { metas: [{ at: 1, phx_ref: "r1" }] } },
    });
  });

  it("[RT-41] reports nothing when nothing changed, and reports again after an untrack", () => {
    const presence = new Presence<string>();
    presence.track("tab", "ana", { at: { x: 1 } }, "r1");
    expect(presence.track("tab", "ana", { at: { x: 1 } }, "r2")).toBeNull();
    presence.untrack("tab");
    expect(presence.untrack("tab")).toBeNull();
    expect(presence.track("tab", "ana", { at: { x: 1 } }, "r3")).toMatchObject({ leaves: {} });
  });

  it("[RT-40] accepts any key, and lets no payload forge its reference", () => {
    const presence = new Presence<string>();
    presence.track("tab", "__proto__", { phx_ref: "forged" }, "r1");
    expect(Object.entries(presence.state())).toEqual([
      ["__proto__", { metas: [{ phx_ref: "r1" }] }],
    ]);
  });
});
