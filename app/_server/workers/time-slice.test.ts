import { expect, it } from "vitest";
import { afterTimeSlice, mostTimeSlices } from "./time-slice";

const hardMs = 1_000;

it("[START-20] ends a task that worked for half a time slice as spent, in any slice", () => {
  for (const slices of [1, 4, mostTimeSlices]) {
    expect(afterTimeSlice({ hardMs, slices, worked: 500, idle: 0 })).toBe("spent");
    expect(afterTimeSlice({ hardMs, slices, worked: 500, idle: slices * 500 })).toBe("spent");
  }
});

it("[START-20] ends a task that was idle for half of its time as unanswered", () => {
  for (const slices of [1, 4, mostTimeSlices]) {
    const unanswered = { hardMs, slices, worked: 499, idle: slices * 500 };
    expect(afterTimeSlice(unanswered)).toBe("unanswered");
    const starved = slices === mostTimeSlices ? "starved" : "goes on";
    expect(afterTimeSlice({ ...unanswered, idle: slices * 500 - 1 })).toBe(starved);
  }
});

it("[START-20] lets a task without processor time run for eight time slices", () => {
  const outcomes = Array.from({ length: 8 }, (_, index) =>
    afterTimeSlice({ hardMs, slices: index + 1, worked: 0, idle: 0 }),
  );
  expect(outcomes).toEqual([...Array.from({ length: 7 }, () => "goes on"), "starved"]);
});
