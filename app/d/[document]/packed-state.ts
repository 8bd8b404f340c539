import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import type { PackedState } from '@/components/document/document-snapshot'
import type { DocumentState } from '@/events/confirmed/document-state'

const deflated = promisify(deflateRaw)
// Below it bytes grow, above it time: whoever opens the page waits for both.
const level = 4

/** Packs a state for a page, on another thread than the one that renders it. */
export async function packState({ state, since }: Required<Pick<DocumentState, 'state' | 'since'>>): Promise<PackedState> {
  const packed = await deflated(state, { level })
  return { state: packed.toString('base64'), since: since.map((update) => Buffer.from(update).toString('base64')) }
}
