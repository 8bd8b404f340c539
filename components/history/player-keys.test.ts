import { describe, expect, it } from 'vitest'
import { commandOf, speedBy } from './player-keys'

const plain = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, isComposing: false }
const paused = { playing: false, last: 1000, speed: 4 } as const

describe('keys of the player', () => {
  it('do what people know from video', () => {
    const asked = [' ', 'k', 'j', 'l', ',', '.', 'Home', 'End', '3', '<', '>', 'a', 'Escape', '[', ']'].map((key) =>
      commandOf({ ...plain, key }, paused),
    )
    expect(asked).toEqual([
      { type: 'TOGGLE' },
      { type: 'TOGGLE' },
      { type: 'SKIP', ms: -10_000 },
      { type: 'SKIP', ms: 10_000 },
      { type: 'STEP', by: -1 },
      { type: 'STEP', by: 1 },
      { type: 'SEEK', index: 0 },
      { type: 'SEEK', index: 1000 },
      { type: 'SEEK', index: 300 },
      { type: 'SPEED', speed: 2 },
      { type: 'SPEED', speed: 8 },
      { type: 'COLOURS' },
      { type: 'LEAVE' },
      { type: 'SESSION', by: -1 },
      { type: 'SESSION', by: 1 },
    ])
  })

  it('let arrows skip while it plays, step by groups while it rests, and change session with Shift', () => {
    const left = { ...plain, key: 'ArrowLeft' }
    expect(commandOf(left, { ...paused, playing: true })).toEqual({ type: 'SKIP', ms: -5000 })
    expect(commandOf(left, paused)).toEqual({ type: 'GROUP', by: -1 })
    expect(commandOf({ ...left, shiftKey: true }, paused)).toEqual({ type: 'SESSION', by: -1 })
  })

  it('leave the browser what is its own', () => {
    expect(commandOf({ ...plain, key: 'l', ctrlKey: true }, paused)).toBeNull()
    expect(commandOf({ ...plain, key: 'k', isComposing: true }, paused)).toBeNull()
    expect(commandOf({ ...plain, key: 'Tab' }, paused)).toBeNull()
    expect([speedBy(32, 1), speedBy(1, -1)]).toEqual([32, 1])
  })
})
