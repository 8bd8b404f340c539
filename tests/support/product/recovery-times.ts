type Row = { what: string; milliseconds: number[] };

/** Recovery times of faults, which are measured and printed, and never asserted. */
export class RecoveryTimes {
  private readonly rows = new Map<string, Row>();

  add(what: string, milliseconds: number): void {
    const row = this.rows.get(what) ?? { what, milliseconds: [] };
    row.milliseconds.push(milliseconds);
    this.rows.set(what, row);
  }

  /** Measures the time from `begun` until `end` resolves. */
  async measure(what: string, end: Promise<unknown>, begun = performance.now()): Promise<void> {
    await end;
    this.add(what, performance.now() - begun);
  }

  print(): void {
    const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(1);
    const lines = [...this.rows.values()].map(({ what, milliseconds }) => {
      const sorted = milliseconds.toSorted((one, other) => one - other);
      const at = (share: number) => seconds(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
      return `| ${what} | ${sorted.length} | ${at(0.5)} | ${at(0.9)} | ${at(1)} |`;
    });
    const head = "| recovery from | times | median s | 90% s | worst s |\n|---|---|---|---|---|";
    console.log([head, ...lines].join("\n"));
  }
}
