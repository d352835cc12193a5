import { Check, ChevronDown, Clock } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { valuesOf, withValues } from '#contract/filter/edit.ts'
import { Button } from '#renderer/components/Button.tsx'
import { setFilterText } from '../store.ts'

const spans = [
  ['15m', 'Last 15 minutes'],
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['today', 'Today'],
] as const

interface Props {
  readonly text: string
  readonly disabled: boolean
}

/** The stretch of time, as `since:` and `before:`. */
export function TimeMenu({ text, disabled }: Props) {
  const [open, setOpen] = useState(false)
  const [since, before] = [valuesOf(text, 'since')[0], valuesOf(text, 'before')[0]]
  const [from, setFrom] = useState('')
  function choose(value: string | null): void {
    setFilterText(
      withValues(withValues(text, 'before', []), 'since', value === null ? [] : [value]),
    )
    setOpen(false)
  }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        className="chip-menu"
        disabled={disabled}
        data-chosen={since !== undefined || before !== undefined || undefined}
      >
        <Clock aria-hidden />
        <span className="chip-word">Time</span>
        <ChevronDown aria-hidden className="chip-more" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="check-menu time-menu"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Filter by time of arrival"
          data-scrolls
        >
          {[...spans, [null, 'Any time'] as const].map(([value, words]) => {
            const chosen =
              value === null ? since === undefined && before === undefined : since === value
            return (
              <button
                key={words}
                type="button"
                className="time-option"
                aria-pressed={chosen}
                onClick={() => choose(value)}
              >
                <Check aria-hidden /> {words}
              </button>
            )
          })}
          <form
            className="time-since"
            onSubmit={(event) => {
              event.preventDefault()
              if (from !== '') choose(from)
            }}
          >
            <label>
              <span>Since</span>
              <input
                type="datetime-local"
                className="input"
                value={from}
                onChange={(event) => setFrom(event.target.value)}
              />
            </label>
            <Button type="submit" disabled={from === ''}>
              Show
            </Button>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
