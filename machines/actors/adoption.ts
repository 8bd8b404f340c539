import { type Clock } from '@/events/clock'
import { memoryOutbox, type Outbox, type OutboxBox, type OutboxRecord } from '@/events/device/outbox'

/** How often a tab looks whether another one of this person has died and left something. */
const adoptEvery = 15_000

type AdoptionInput = {
  userId: string
  documentId: string
  outbox: Pick<Outbox, 'open'>
  clock: Clock
  /** The device keeps nothing of what is written; the status tells the user. */
  failed(): void
  /** Takes over what another tab has left. */
  take(records: OutboxRecord[]): void
}

/** This tab's part of the device's outbox, which grows by what tabs that have died left in theirs. */
export class Adoption {
  readonly box: Promise<OutboxBox>
  /** False where the device gave no outbox, so that what is written to the box lasts no longer than the tab. */
  onDevice = true
  private readonly input: AdoptionInput
  private ended = false
  private cancel = () => {}

  constructor(input: AdoptionInput) {
    this.input = input
    this.box = this.open()
  }

  /** Adopts what is there, and from now on what comes; resolves after the first time. */
  async begin(): Promise<void> {
    if (this.ended) return
    this.cancel = this.input.clock.after(adoptEvery, () => void this.begin())
    const records = await (await this.box).adopt().catch(() => {
      this.input.failed()
      return []
    })
    if (records.length > 0 && !this.ended) this.input.take(records)
  }

  end(): void {
    this.ended = true
    this.cancel()
  }

  private async open(): Promise<OutboxBox> {
    const { outbox, failed } = this.input
    try {
      return await outbox.open(this.input)
    } catch {
      this.onDevice = false
      // Not before its owner is there to be told.
      queueMicrotask(failed)
      return memoryOutbox().open(this.input)
    }
  }
}
