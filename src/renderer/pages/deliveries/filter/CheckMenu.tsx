import { Icons, type IconOrElement } from '#kit/icons.tsx'
import { Popover } from 'radix-ui'
import { useState, type ComponentProps } from 'react'
import { valuesOf, withValues } from '#contract/filter/edit.ts'
import { formatCount } from '#shared/text/format.ts'
import { queryOf, setFilterText, useDeliveries } from '#client/state/deliveries.ts'
import { Button } from '#kit/Button.tsx'
import { shortText } from '#kit/text/visible.ts'
import { type GroupsInput, useGroups } from '#client/state/use-counts.ts'
import '#kit/Menu.css'

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

interface Props {
  readonly icon: IconOrElement
  readonly words: string
  /** The accessible name: "Filter by type". */
  readonly label: string
  /** The filter that the menu changes. */
  readonly text: string
  readonly sections: readonly CheckSection[]
  /** The placeholder of the search field; null hides the field for short lists. */
  readonly find: string | null
}

/** A button that opens values of filter fields with checkboxes. */
export function CheckMenu({ icon, words, label, text, sections, find }: Props) {
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
  readonly section: CheckSection
  readonly text: string
  readonly query: string
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
        <label
          key={value}
          className="check-option grid min-h-(--control) grid-cols-auto-1-auto items-center gap-4 rounded-sm px-3 py-0 hover:bg-hover"
          title={value}
        >
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
