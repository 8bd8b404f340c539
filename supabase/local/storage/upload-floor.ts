/** Below so many free bytes no upload is accepted: the database needs the rest to go on saving what people write. */
export const leastFree = 512 * 1024 * 1024;

/** How long an answer of the file system counts, in milliseconds. */
const lasting = 1_000;

type Ways = {
  free: () => Promise<number>;
  now: () => number;
  /** Hears when uploads stop being accepted, and when they are accepted again. */
  onChange: (hasRoom: boolean, free: number) => void;
};

/** Tells whether the disk has room for uploads. */
export class UploadFloor {
  private readonly ways: Ways;
  private last: { at: number; free: number } | null = null;
  private hadRoom = true;

  constructor(ways: Ways) {
    this.ways = ways;
  }

  /** The free bytes as they were last read; NaN before. */
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
