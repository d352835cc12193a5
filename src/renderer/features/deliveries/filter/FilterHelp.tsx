import { CircleHelp } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { filterFields } from '#contract/filter/fields.ts'
import type { FilterField } from '#contract/filter/fields.ts'
import { useKeys } from '../../shell/command-registry.ts'

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
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        className="chip-menu"
        aria-label="The filter language"
        aria-keyshortcuts="f"
        title="The filter language (F)"
      >
        <CircleHelp aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="check-menu filter-help"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="The filter language"
          // It scrolls: then it must be reached by keys.
          tabIndex={0}
          data-scrolls
        >
          <h2>The filter language</h2>
          <dl className="help-rules">
            {rules.map(([written, meaning]) => (
              <div key={written}>
                <dt className="mono">{written}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
          <dl className="help-fields">
            {filterFields.map((field) => (
              <div key={field.name}>
                <dt className="mono">{field.example}</dt>
                <dd>
                  {field.description} {extra(field)}
                </dd>
              </div>
            ))}
          </dl>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
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
