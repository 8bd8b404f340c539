import { type OutboxBox, type OutboxRecord } from '@/events/device/outbox'

type MirrorInput = {
  box: Promise<OutboxBox>
  /** The device can (true) or cannot keep what is written; said at every change. */
  stored(works: boolean): void
}

/** What the device keeps of one's own edits: written in the order of the changes, one writing at a time, again with the next change where it failed. */
export class OutboxMirror {
  private readonly input: MirrorInput
  private toPut = new Map<string, OutboxRecord>()
  private toRemove = new Set<string>()
  private writing: Promise<void> | null = null

  constructor(input: MirrorInput) {
    this.input = input
  }

  put(record: OutboxRecord): void {
    this.toPut.set(record.key, record)
    void this.write()
  }

  remove(key: string): void {
    this.toPut.delete(key)
    this.toRemove.add(key)
    void this.write()
  }

  /** Resolves when the device has what is known now, or has refused it. */
  write(): Promise<void> {
    return (this.writing ??= this.writeAll().finally(() => (this.writing = null)))
  }

  private async writeAll(): Promise<void> {
    const box = await this.input.box
    while (this.toPut.size > 0 || this.toRemove.size > 0) {
      const put = [...this.toPut.values()]
      const remove = [...this.toRemove]
      this.toPut.clear()
      this.toRemove.clear()
      try {
        await box.write({ put, remove })
        this.input.stored(true)
      } catch {
        // Kept here, and tried again with the next change; the status says that the device keeps nothing.
        for (const record of put) if (!this.toRemove.has(record.key) && !this.toPut.has(record.key)) this.toPut.set(record.key, record)
        for (const key of remove) this.toRemove.add(key)
        this.input.stored(false)
        return
      }
    }
  }
}
