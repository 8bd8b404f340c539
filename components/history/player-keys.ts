import { speeds, type ReplayEvent, type Speed } from '../../machines/actors/replay'

export type PlayerCommand = ReplayEvent | { type: 'COLOURS' } | { type: 'LEAVE' }
type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>
type At = { playing: boolean; last: number; speed: Speed }

/** The next speed up or down. */
export function speedBy(speed: Speed, by: -1 | 1): Speed {
  return speeds[Math.max(0, Math.min(speeds.length - 1, speeds.indexOf(speed) + by))] ?? speed
}

/** What a key does while the player has focus; null leaves it to the browser. */
export function commandOf(key: Key, { playing, last, speed }: At): PlayerCommand | null {
  if (key.ctrlKey || key.metaKey || key.altKey || key.isComposing) return null
  if (/^[0-9]$/.test(key.key)) return { type: 'SEEK', index: Math.round((last * Number(key.key)) / 10) }
  switch (key.key) {
    case ' ':
    case 'k':
    case 'K':
      return { type: 'TOGGLE' }
    case 'ArrowLeft':
    case 'ArrowDown':
      if (key.shiftKey) return { type: 'SESSION', by: -1 }
      return playing ? { type: 'SKIP', ms: -5000 } : { type: 'GROUP', by: -1 }
    case 'ArrowRight':
    case 'ArrowUp':
      if (key.shiftKey) return { type: 'SESSION', by: 1 }
      return playing ? { type: 'SKIP', ms: 5000 } : { type: 'GROUP', by: 1 }
    case 'j':
    case 'J':
    case 'PageDown':
      return { type: 'SKIP', ms: -10_000 }
    case 'l':
    case 'L':
    case 'PageUp':
      return { type: 'SKIP', ms: 10_000 }
    case '[':
      return { type: 'SESSION', by: -1 }
    case ']':
      return { type: 'SESSION', by: 1 }
    case ',':
      return { type: 'STEP', by: -1 }
    case '.':
      return { type: 'STEP', by: 1 }
    case '<':
      return { type: 'SPEED', speed: speedBy(speed, -1) }
    case '>':
      return { type: 'SPEED', speed: speedBy(speed, 1) }
    case 'Home':
      return { type: 'SEEK', index: 0 }
    case 'End':
      return { type: 'SEEK', index: last }
    case 'a':
    case 'A':
      return { type: 'COLOURS' }
    case 'Escape':
      return { type: 'LEAVE' }
    default:
      return null
  }
}
