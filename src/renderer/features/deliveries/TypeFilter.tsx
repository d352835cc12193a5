import { Check, ChevronDown, ListFilter } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { eventTypes } from '#catalogue/catalogue.ts'
import { cut, visible } from '../../components/text/visible.ts'
import { toggled } from './filter.ts'
import { useDeliveries } from './store.ts'

interface Props {
  readonly chosen: readonly (string | null)[]
  readonly onChange: (types: (string | null)[]) => void
}

interface Option {
  readonly value: string | null
  readonly label: string
  readonly note: string
}

/** Types of the document, then those that came unasked, then deliveries without one. */
function options(unknown: readonly string[]): Option[] {
  return [
    ...eventTypes.map(({ type, label }) => ({ value: type, label: type, note: label })),
    ...unknown.map((type) => ({
      value: type,
      label: visible(cut(type, 40)),
      note: 'not in the document',
    })),
    { value: null, label: 'no type', note: 'not a payload of the service' },
  ]
}

/** The button that opens the list of types to choose from. */
export function TypeFilter({ chosen, onChange }: Props) {
  const unknown = useDeliveries((state) => state.unknownTypes)
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const shown = options(unknown).filter(({ label, note }) =>
    `${label} ${note}`.toLowerCase().includes(wanted),
  )
  return (
    <Popover.Root onOpenChange={() => setSearch('')}>
      <Popover.Trigger className="chip-types">
        <ListFilter aria-hidden />
        {chosen.length === 0 ? 'All types' : 'Types'}
        <ChevronDown aria-hidden className="chip-more" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="type-menu"
          align="start"
          sideOffset={6}
          aria-label="Filter by type"
          data-scrolls
        >
          <input
            className="input"
            aria-label="Find a type"
            placeholder="Find a type"
            value={search}
            spellCheck={false}
            onChange={(event) => setSearch(event.target.value)}
          />
          <div className="type-options" role="group" aria-label="Types">
            {shown.map(({ value, label, note }) => (
              <label key={value ?? ''} className="type-option">
                <input
                  type="checkbox"
                  checked={chosen.includes(value)}
                  onChange={() => onChange(toggled(chosen, value))}
                />
                <span className="type-tick" aria-hidden>
                  <Check />
                </span>
                <span className="mono">{label}</span>
                <span className="dim cut">{note}</span>
              </label>
            ))}
            {shown.length === 0 && <p className="dim type-none">No type has that in its name.</p>}
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
