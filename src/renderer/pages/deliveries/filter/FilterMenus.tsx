import { Icons } from '#kit/icons.tsx'
import { useState, type ComponentProps } from 'react'
import { valuesOf, withTerm, withValues } from '#contract/filter/edit.ts'
import { fieldOf } from '#contract/filter/fields.ts'
import { setFilterText } from '#client/state/deliveries.ts'
import { CheckMenu, ChipMenu } from './CheckMenu.tsx'
import { Button } from '#kit/Button.tsx'

const spans = [
  ['15m', 'Last 15 minutes'],
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['today', 'Today'],
] as const

const timeFields = ['since', 'before', 'until'] as const

function TimeMenu({ text }: Props) {
  const [open, setOpen] = useState(false)
  const selected = timeFields.map((field) => valuesOf(text, field)[0])
  const [since] = selected
  const isAny = selected.every((value) => value === undefined)
  const rest = timeFields.reduce((left, field) => withValues(left, field, []), text)
  function select(terms: readonly string[]): void {
    setFilterText(terms.reduce((filter, term) => withTerm(filter, term), rest))
    setOpen(false)
  }
  return (
    <ChipMenu
      icon={Icons.Clock}
      words="Time"
      label="Filter by time received"
      selected={!isAny}
      open={open}
      onOpenChange={setOpen}
    >
      {[...spans, [null, 'Any time'] as const].map(([value, words]) => (
        <Button
          key={words}
          kind="quiet"
          className="time-option w-full"
          icon={Icons.Check}
          aria-pressed={value === null ? isAny : since === value}
          onClick={() => select(value === null ? [] : [`since:${value}`])}
        >
          <span className="flex-1">{words}</span>
        </Button>
      ))}
      <BetweenForm onSelect={select} />
    </ChipMenu>
  )
}

function BetweenForm({ onSelect }: { readonly onSelect: (terms: readonly string[]) => void }) {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  return (
    <form
      className="mt-3 flex items-end gap-3 border-t border-line-soft px-3 py-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSelect([...(from === '' ? [] : [`since:${from}`]), ...(to === '' ? [] : [`until:${to}`])])
      }}
    >
      <div className="grid min-h-0 min-w-0 flex-1 gap-3">
        {(
          [
            ['Between', from, setFrom],
            ['and', to, setTo],
          ] as const
        ).map(([label, value, set]) => (
          <label className="text-s text-mid" key={label}>
            <span>{label}</span>
            <input
              type="datetime-local"
              step="1"
              className="input w-full"
              value={value}
              onChange={({ target }) => set(target.value)}
            />
          </label>
        ))}
      </div>
      <Button type="submit" disabled={from === '' && to === ''}>
        Show
      </Button>
    </form>
  )
}

interface Props {
  /** The filter that the menus change. */
  readonly text: string
}

type Menu = Omit<ComponentProps<typeof CheckMenu>, 'text'>

const byCount: readonly Menu[] = [
  {
    icon: Icons.CircleAlert,
    words: 'Outcome',
    label: 'Filter by outcome',
    find: 'Find a cause',
    sections: [
      { label: 'Outcome', field: 'outcome', options: { by: 'outcome' } },
      { label: 'Cause', field: 'cause', options: { by: 'cause' } },
      { label: 'Your handler', field: 'handler', options: { by: 'handler' } },
      { label: 'Signature', field: 'verdict', options: { by: 'verdict' } },
    ],
  },
  {
    icon: Icons.ListFilter,
    words: 'Types',
    label: 'Filter by type',
    find: 'Find a type',
    sections: [{ label: 'Types', field: 'type', options: { by: 'type' } }],
  },
  {
    icon: Icons.TriangleAlert,
    words: 'Findings',
    label: 'Filter by finding',
    find: 'Find a finding',
    sections: [
      { label: 'Severities', field: 'severity', options: { by: 'severity' } },
      { label: 'Findings', field: 'finding', options: { by: 'finding' } },
    ],
  },
]

const marks = (fieldOf('is')?.choices ?? []).map(({ value, meaning }) => ({
  value,
  label: meaning,
  count: null,
}))

/** Menus that add filter terms for outcomes, types, findings, time and marks. */
export function FilterMenus({ text }: Props) {
  return (
    <>
      {byCount.map((menu) => (
        <CheckMenu key={menu.words} {...menu} text={text} />
      ))}
      <TimeMenu text={text} />
      <CheckMenu
        icon={Icons.Tag}
        words="Marks"
        label="Filter by mark"
        text={text}
        find={null}
        sections={[{ label: 'Marks', field: 'is', options: marks }]}
      />
    </>
  )
}
