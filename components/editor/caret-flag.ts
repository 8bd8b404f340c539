import type { EditorView } from '@tiptap/pm/view'

/** Tells whether a caret's name flag, standing in the leading above its line, would lie on a letter of the text. */
export function coversLetter(view: EditorView, caret: Element): boolean {
  const flag = caret.firstElementChild?.getBoundingClientRect()
  if (flag === undefined || flag.width === 0) return false
  const middle = (flag.top + flag.bottom) / 2
  return [flag.left + 1, (flag.left + flag.right) / 2, flag.right - 1].some((left) => {
    const near = view.posAtCoords({ left, top: middle })
    if (near === null) return false
    const letter = view.coordsAtPos(near.pos)
    // A letter stands in the middle of its box: the outer fifths are air.
    const air = (letter.bottom - letter.top) / 5
    const touchesAcross = Math.abs(letter.left - left) < 14
    return touchesAcross && letter.bottom - air > flag.top && letter.top + air < flag.bottom && letter.bottom <= flag.bottom + air
  })
}
