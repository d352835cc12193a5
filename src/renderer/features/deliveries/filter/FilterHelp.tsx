import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import { filterFields } from '#contract/filter/fields.ts'
import type { FilterField } from '#contract/filter/fields.ts'
import { ChipMenu } from './CheckMenu.tsx'
import { useKeys } from '../../../platform/command-registry.ts'
import { LearnMore } from '../../help/index.ts'

const rules = [
  ['a b', 'both'],
  ['a or b', 'one of them; "and" binds closer'],
  ['-a', 'not so'],
  ['(a or b) c', 'brackets hold together'],
  ['type:A,B', 'one of the values'],
  ['fri', 'words in headers and body that begin so'],
  ['"fries" "pale ale"', 'whole words, one after the other'],
  ['contains:rie', 'text inside words, too'],
  ['type:ORDER*', 'any characters; "*" in quotes is a star'],
] as const

/** The filter language on one page, from the table that the parser reads as well. */
export function FilterHelp() {
  const [open, setOpen] = useState(false)
  useKeys({ 'filter-help': () => setOpen(true) })
  return (
    <ChipMenu
      icon={<CircleHelp aria-hidden />}
      label="The filter language"
      align="end"
      className="filter-help pad-x-6 selectable"
      button={{
        'aria-label': 'The filter language',
        'aria-keyshortcuts': 'f',
        title: 'The filter language (F)',
      }}
      open={open}
      onOpenChange={setOpen}
    >
      <h2>The filter language</h2>
      <LearnMore page="filters" onFollow={() => setOpen(false)} />
      <dl className="above-4 size-s">
        {rules.map(([written, meaning]) => (
          <div key={written}>
            <dt className="mono">{written}</dt>
            <dd className="mid">{meaning}</dd>
          </div>
        ))}
      </dl>
      <dl className="above-4 size-s line-top-soft pad-y-3">
        {filterFields.map((field) => (
          <div key={field.name}>
            <dt className="mono">{field.example}</dt>
            <dd className="mid">
              {field.description} {extra(field)}
            </dd>
          </div>
        ))}
      </dl>
    </ChipMenu>
  )
}

function extra({ kind, choices, comparisons, none }: FilterField): string {
  const parts = [
    choices.length > 0
      ? `One of ${choices.map(({ value }) => value).join(', ')}${kind === 'number' ? ', or a number' : ''}.`
      : '',
    comparisons.includes('>') ? `Compares with ${comparisons.join(' ')}.` : '',
    none === null ? '' : `none: ${none}`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}
