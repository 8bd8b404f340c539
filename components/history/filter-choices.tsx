'use client'

import { useState } from 'react'
import { outlineAt } from '../../events/replay/outline'
import { MenuChoice, MenuHeading, MenuRule } from '../ui/menu-parts'
import { type FilterKind } from './filter'
import { type PlayerView } from './player-view'

const everybody = 'everybody'
const kinds: readonly { value: FilterKind; label: string }[] = [
  { value: 'everything', label: 'Everything' },
  { value: 'comments', label: 'Only comments' },
  { value: 'restores', label: 'Only restores' },
]

/** The choices of a menu that say whose part of the history is played, and which; the sections are those of the moment shown. */
export function FilterChoices({ timeline, authors, index, filter, run }: PlayerView) {
  const [outline] = useState(() => outlineAt(timeline, index))
  const { author, what } = filter
  const chosen = typeof what === 'string' ? what : what.key
  // A section that was chosen at another moment may not stand at this one.
  const sections = typeof what === 'string' || outline.some(({ key }) => key === what.key) ? outline : [what, ...outline]
  const options: { value: string; label: string }[] = [...kinds, ...sections.map(({ key, title }) => ({ value: key, label: `“${title}”` }))]
  const choose = (value: string) => {
    const kind = kinds.find((each) => each.value === value)?.value
    const section = sections.find(({ key }) => key === value)
    run({ type: 'FILTER', filter: { author, what: kind ?? section ?? 'everything' } })
  }
  return (
    <>
      <MenuHeading>Whose edits</MenuHeading>
      <MenuChoice
        value={author ?? everybody}
        options={[{ value: everybody, label: 'Everybody’s' }, ...authors.map(({ userId, name }) => ({ value: userId, label: `Only ${name}’s` }))]}
        onChange={(value) => run({ type: 'FILTER', filter: { author: value === everybody ? null : value, what } })}
      />
      <MenuRule />
      <MenuHeading>What is played</MenuHeading>
      <MenuChoice value={chosen} options={options} onChange={choose} />
    </>
  )
}
