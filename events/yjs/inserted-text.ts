import { ByteReader } from '../bytes'
import { structKind } from './yjs-content'
import { kindOf, readUpdate } from './yjs-update'

/** The characters that an update brings in, in the order of its structs, without regard to where they go. */
export function insertedText(update: Uint8Array): string {
  return readUpdate(update)
    .blocks.flatMap(({ structs }) => structs)
    .filter((struct) => kindOf(struct) === structKind.string)
    .map(({ content }) => new TextDecoder().decode(new ByteReader(content).block()))
    .join('')
}
