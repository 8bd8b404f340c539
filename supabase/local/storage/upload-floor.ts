/** Below this many free bytes uploads are refused, since the database needs the rest to save. */
export const leastFree = 512 * 1024 * 1024;

/** How long the result of a check is cached, in milliseconds. */
const lasting = 1_000;

type Ways = {
  free: () => Promise<number>;
  now: () => number;
  /** Called when uploads stop being accepted, and when they are accepted again. */
  onChange: (hasRoom: boolean, free: number) => void;
};

/** Checks whether the disk has space for uploads. */
export class UploadFloor {
  private readonly ways: Ways;
  private last: { at: number; free: number } | null = null;
  private hadRoom = true;

  constructor(ways: Ways) {
    this.ways = ways;
  }

  /** The free bytes at the last check; NaN before the first check. */
  get free(): number {
    return this.last?.free ?? NaN;
  }

  async hasRoom(): Promise<boolean> {
    const { free, now, onChange } = this.ways;
    if (this.last === null || now() - this.last.at >= lasting)
      this.last = { at: now(), free: await free() };
    const hasRoom = this.last.free >= leastFree;
    if (hasRoom !== this.hadRoom) onChange(hasRoom, this.last.free);
    this.hadRoom = hasRoom;
    return hasRoom;
  }
}
