import type { SyncReport } from "@/machines/sync/sync-report";

type Fact = { name: string; value: string };

/** Returns the parts of a sync report as names and values, in the order useful for debugging. */
export function factsOf(report: SyncReport): { heading: string; facts: Fact[] }[] {
  const { machine, unsent, confirmed, failures, channel, device, calls, page } = report;
  return [
    { heading: "Machine states", facts: listed(machine) },
    { heading: "Unsent edits", facts: listed(unsent) },
    { heading: "Confirmed", facts: listed(confirmed) },
    { heading: "Last failures", facts: failuresOf(failures) },
    { heading: "Calls", facts: listed(calls) },
    { heading: "Channel", facts: listed({ ...channel, access: report.access }) },
    { heading: "Device", facts: listed(device) },
    { heading: "Page", facts: listed({ ...page, document: report.documentId }) },
  ];
}

function listed(values: object, prefix = ""): Fact[] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
    const name = prefix + key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? listed(value, `${name}: `)
      : [{ name, value: valueOf(value) }];
  });
}

function valueOf(value: unknown): string {
  if (value === null) return "none";
  if (Array.isArray(value)) return value.length > 0 ? value.join(", ") : "none";
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
}

/** Returns the failures, newest first. */
function failuresOf(failures: SyncReport["failures"]): Fact[] {
  if (failures.length === 0) return [{ name: "none", value: "" }];
  return failures.toReversed().map(({ at, call, name, status, detail }, index) => ({
    name: `${index + 1}. ${at.slice(11, 19)} ${call}`,
    value: [name, status, detail].filter((value) => value !== undefined && value !== "").join(" "),
  }));
}
