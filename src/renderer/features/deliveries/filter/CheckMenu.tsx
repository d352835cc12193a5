import { Check, ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { count as formatted } from '#renderer/components/text/numbers.ts'
import { cut, visible } from '#renderer/components/text/visible.ts'

interface CheckOption {
  readonly value: string
  readonly label: string
  readonly note: string
  /** How often it occurs; absent: not counted. */
  readonly count?: number
}

interface CheckGroup {
  readonly label: string
  readonly options: readonly CheckOption[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: string[]) => void
}

interface Props {
  readonly icon: ReactNode
  readonly words: string
  /** What is chosen by it, for assistive technology: "Filter by type". */
  readonly label: string
  readonly disabled: boolean
  readonly groups: readonly CheckGroup[]
  /** The placeholder of a field to find one among many; null: there are few. */
  readonly find: string | null
  readonly onOpen?: () => void
}

/** A button that opens lists of values to choose from, any number of each. */
export function CheckMenu({ icon, words, label, disabled, groups, find, onOpen }: Props) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const shown = groups
    .map((group) => ({
      ...group,
      options: group.options.filter(({ label, note }) =>
        `${label} ${note}`.toLowerCase().includes(wanted),
      ),
    }))
    .filter(({ options }) => options.length > 0)
  const count = groups.reduce((sum, { chosen }) => sum + chosen.length, 0)
  return (
    <Popover.Root
      onOpenChange={(open) => {
        setSearch('')
        if (open) onOpen?.()
      }}
    >
      <Popover.Trigger
        className="chip-menu"
        disabled={disabled}
        data-chosen={count > 0 || undefined}
      >
        {icon}
        <span className="chip-word">{words}</span>
        {count > 0 && <span className="chip-count">{count}</span>}
        <ChevronDown aria-hidden className="chip-more" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="check-menu"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          data-scrolls
        >
          {find !== null && (
            <input
              className="input"
              aria-label={find}
              placeholder={find}
              value={search}
              spellCheck={false}
              onChange={(event) => setSearch(event.target.value)}
            />
          )}
          <div className="check-options">
            {shown.map(({ label, options, chosen, onChange }) => (
              <div key={label} role="group" aria-label={label}>
                {groups.length > 1 && <p className="check-group">{label}</p>}
                {options.map(({ value, label, note, count: occurs }) => (
                  <label key={value} className="check-option">
                    <input
                      type="checkbox"
                      checked={chosen.includes(value)}
                      onChange={() => onChange(toggled(chosen, value))}
                    />
                    <span className="check-tick" aria-hidden>
                      <Check />
                    </span>
                    <span className="mono">{visible(cut(label, 40))}</span>
                    <span className="dim cut" title={note}>
                      {note}
                    </span>
                    {occurs !== undefined && (
                      <span
                        className="check-count"
                        title={`${formatted(occurs)} in all deliveries`}
                      >
                        {formatted(occurs)}
                      </span>
                    )}
                  </label>
                ))}
              </div>
            ))}
            {shown.length === 0 && <p className="dim check-none">None has that in its name.</p>}
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

/** The list with `value` taken in, or out when it was in. */
export function toggled(values: readonly string[], value: string): string[] {
  return values.includes(value) ? values.filter((held) => held !== value) : [...values, value]
}
