import { Icons, type IconOrElement } from '#kit/icons.tsx'
import { useState, type ComponentProps } from 'react'
import { valuesOf, withTerm, withValues } from '#contract/filter/edit.ts'
import { fieldOf } from '#contract/filter/fields.ts'
import { setFilterText, queryOf, useDeliveries } from '#client/state/deliveries.ts'
import { Button } from '#kit/Button.tsx'
import { Popover } from 'radix-ui'
import { formatCount } from '#shared/text/format.ts'
import { shortText } from '#kit/text/visible.ts'
import { type GroupsInput, useGroups } from '#client/state/use-counts.ts'
import '#kit/Menu.css'

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

function BetweenForm({ onSelect }: { onSelect: (terms: readonly string[]) => void }) {
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
  text: string
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

interface CheckSection {
  readonly label: string
  /** The filter field. */
  readonly field: string
  /** Its values: those of the listed deliveries, with their number, or fixed ones. */
  readonly options: { readonly by: GroupsInput['by'] } | readonly CheckOption[]
}

interface CheckOption {
  readonly value: string
  readonly label: string
  /** The number of deliveries; null: unknown. */
  readonly count: number | null
}

interface CheckMenuProps {
  icon: IconOrElement
  words: string
  /** The accessible name: "Filter by type". */
  label: string
  /** The filter that the menu changes. */
  text: string
  sections: readonly CheckSection[]
  /** The placeholder of the search field; null hides the field for short lists. */
  find: string | null
}

/** A button that opens values of filter fields with checkboxes. */
export function CheckMenu({ icon, words, label, text, sections, find }: CheckMenuProps) {
  const [search, setSearch] = useState('')
  const count = sections.reduce((sum, { field }) => sum + valuesOf(text, field).length, 0)
  return (
    <ChipMenu
      icon={icon}
      words={words}
      count={count}
      selected={count > 0}
      label={label}
      onOpenChange={() => setSearch('')}
    >
      {find !== null && (
        <input
          className="input w-full"
          aria-label={find}
          placeholder={find}
          value={search}
          spellCheck={false}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <div className="mt-3 grid max-h-[min(var(--measure-panel),60vh)] overflow-auto">
        {sections.map((section) => {
          const { options } = section
          const shared = { section, text, query: search.trim().toLowerCase() }
          return 'by' in options ? (
            <CountedOptions key={section.field} {...shared} by={options.by} />
          ) : (
            <Options key={section.field} {...shared} options={options} />
          )
        })}
      </div>
    </ChipMenu>
  )
}

interface SectionProps {
  section: CheckSection
  text: string
  query: string
}

function CountedOptions({ by, ...props }: SectionProps & Pick<GroupsInput, 'by'>) {
  const { field } = props.section
  const rest = withValues(props.text, field, [])
  const filter = useDeliveries((state) => queryOf({ ...state, filter: rest }))
  const { result } = useGroups({ filter, by })
  const groups = (result?.groups ?? []).map(({ value, label, count }) => ({
    value: value ?? label,
    label,
    count,
  }))
  const known = new Set(groups.map(({ value }) => value))
  const chosen = valuesOf(props.text, field)
    .filter((value) => !known.has(value))
    .map((value) => ({ value, label: value, count: null }))
  return <Options {...props} options={[...groups, ...chosen]} />
}

function Options({
  section: { label: heading, field },
  text,
  query,
  options,
}: SectionProps & { readonly options: readonly CheckOption[] }) {
  const shown = options.filter(({ value, label }) =>
    `${value} ${label}`.toLowerCase().includes(query),
  )
  const selected = valuesOf(text, field)
  return (
    <div role="group" aria-label={heading}>
      <p className="px-3 py-2 text-xs font-semibold text-dim">{heading}</p>
      {shown.map(({ value, label, count }) => (
        <label key={value} className={checkOption} title={value}>
          <input
            type="checkbox"
            checked={selected.includes(value)}
            onChange={() => setFilterText(withValues(text, field, toggled(selected, value)))}
          />
          <span className="cut">{shortText(label, 80)}</span>
          <span className="text-dim">{count === null ? '' : formatCount(count)}</span>
        </label>
      ))}
      {shown.length === 0 && <p className="px-3 py-2 text-dim">None</p>}
    </div>
  )
}

/** Returns the list with `value` added, or removed if it was present. */
function toggled(values: readonly string[], value: string): string[] {
  return values.includes(value) ? values.filter((held) => held !== value) : [...values, value]
}

/** The class of an option with a checkbox. */
export const checkOption =
  'check-option grid min-h-(--control) grid-cols-auto-1-auto items-center gap-4 rounded-sm px-3 py-0 hover:bg-hover'

interface ChipMenuProps extends Pick<
  ComponentProps<typeof Popover.Root>,
  'open' | 'onOpenChange' | 'children'
> {
  readonly icon?: IconOrElement
  readonly words?: string
  readonly count?: number
  readonly selected?: boolean
  readonly disabled?: boolean
  readonly label: string
  readonly align?: 'start' | 'end'
  readonly className?: string
  readonly button?: ComponentProps<typeof Button>
}

/** A button of the filter bar with the panel that it opens. */
export function ChipMenu({
  icon,
  words,
  count = 0,
  selected = false,
  disabled = false,
  label,
  align = 'start',
  className = 'check-menu',
  button,
  children,
  ...root
}: ChipMenuProps) {
  return (
    <Popover.Root {...root}>
      <Popover.Trigger asChild>
        <Button
          kind="quiet"
          small
          className="chip-menu"
          icon={icon}
          disabled={disabled}
          data-selected={selected || undefined}
          {...button}
        >
          {words !== undefined && <span className={icon ? 'chip-word' : undefined}>{words}</span>}
          {count > 0 && <b>{count}</b>}
          {words !== undefined && <Icons.ChevronDown />}
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={`pop ${className}`}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          // May scroll, so it must be reachable by keyboard.
          tabIndex={0}
          data-scrolls
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
