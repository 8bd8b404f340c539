import { fromBase64 } from '@/events/base64'
import type { DocumentState } from '@/events/confirmed/document-state'
import type { DocumentSnapshot } from './document-snapshot'

/** The state that a page brings for its editor, once it is there; rejects when the page has ended before that. */
export async function broughtState({ version, owners, state: coming }: Pick<DocumentSnapshot, 'version' | 'owners' | 'state'>): Promise<DocumentState> {
  const { state, since } = await coming
  return { version, state: await inflated(fromBase64(state)), since: since.map(fromBase64), owners }
}

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const whole = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(whole).arrayBuffer())
}
