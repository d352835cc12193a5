import { CircleHelp } from '../../../ui/icons.tsx'
import { useState } from 'react'
import { filterFields, type FilterField } from '#contract/filter/fields.ts'
import { ChipMenu } from './CheckMenu.tsx'
import { useKeys } from '../../../platform/command-registry.ts'
import { LearnMore } from '../../help/index.ts'

const rules = [
  ['a b', 'both'],
  ['a or b', 'at least one; "and" has precedence'],
  ['-a', 'not a'],
  ['(a or b) c', 'parentheses group terms'],
  ['type:A,B', 'one of the values'],
  ['fri', 'words in headers and body that start with this'],
  ['"fries" "pale ale"', 'whole words in this order'],
  ['contains:rie', 'text anywhere, also inside words'],
  ['type:ORDER*', '"*" matches any characters, but is literal in quotes'],
] as const

/** A reference of the filter language, generated from the parser's field table. */
export function FilterHelp() {
  const [open, setOpen] = useState(false)
  useKeys({ 'filter-help': () => setOpen(true) })
  return (
    <ChipMenu
      icon={<CircleHelp aria-hidden />}
      label="Filter language"
      align="end"
      className="filter-help pad-x-6 selectable"
      button={{
        'aria-label': 'Filter language',
        'aria-keyshortcuts': 'f',
        title: 'Filter language (F)',
      }}
      open={open}
      onOpenChange={setOpen}
    >
      <h2>Filter language</h2>
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
    comparisons.includes('>') ? `Supports ${comparisons.join(' ')}.` : '',
    none === null ? '' : `none: ${none}`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}
