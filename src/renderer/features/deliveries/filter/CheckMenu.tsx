import { ChevronDown } from '../../../ui/icons.tsx'
import { Popover } from 'radix-ui'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Stack, Text } from '../../../ui/Layout.tsx'
import { truncate, escapeControls } from '../../../ui/text/visible.ts'
import '../../../ui/Menu.css'

interface CheckOption {
  readonly value: string
  readonly label: string
  readonly note: string
}

interface CheckGroup {
  readonly label: string
  readonly options: readonly CheckOption[]
  readonly selected: readonly string[]
  readonly onChange: (selected: string[]) => void
}

interface Props {
  readonly icon: ReactNode
  readonly words: string
  /** The accessible name: "Filter by type". */
  readonly label: string
  readonly disabled: boolean
  readonly groups: readonly CheckGroup[]
  /** The placeholder of the search field; null hides the field for short lists. */
  readonly find: string | null
}

/** A button that opens groups of values with checkboxes. */
export function CheckMenu({ icon, words, label, disabled, groups, find }: Props) {
  const [search, setSearch] = useState('')
  const query = search.trim().toLowerCase()
  const shown = groups
    .map((group) => ({
      ...group,
      options: group.options.filter(({ label, note }) =>
        `${label} ${note}`.toLowerCase().includes(query),
      ),
    }))
    .filter(({ options }) => options.length > 0)
  const count = groups.reduce((sum, { selected }) => sum + selected.length, 0)
  return (
    <ChipMenu
      icon={icon}
      words={words}
      count={count}
      selected={count > 0}
      label={label}
      disabled={disabled}
      onOpenChange={() => setSearch('')}
    >
      {find !== null && (
        <input
          className="input wide"
          aria-label={find}
          placeholder={find}
          value={search}
          spellCheck={false}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <Stack marginTop={3} scroll className="check-options">
        {shown.map(({ label, options, selected, onChange }) => (
          <div key={label} role="group" aria-label={label}>
            {groups.length > 1 && (
              <Text as="p" pad={[2, 3]} tone="dim" size="xs" weight="semibold">
                {label}
              </Text>
            )}
            {options.map(({ value, label, note }) => (
              <label key={value} className="check-option">
                <input
                  type="checkbox"
                  checked={selected.includes(value)}
                  onChange={() => onChange(toggled(selected, value))}
                />
                <span className="mono">{escapeControls(truncate(label, 40))}</span>
                <span className="dim cut" title={note}>
                  {note}
                </span>
              </label>
            ))}
          </div>
        ))}
        {shown.length === 0 && (
          <Text as="p" pad={4} tone="dim">
            No results
          </Text>
        )}
      </Stack>
    </ChipMenu>
  )
}

/** Returns the list with `value` added, or removed if it was present. */
export function toggled(values: readonly string[], value: string): string[] {
  return values.includes(value) ? values.filter((held) => held !== value) : [...values, value]
}

interface ChipMenuProps extends Pick<
  ComponentProps<typeof Popover.Root>,
  'open' | 'onOpenChange' | 'children'
> {
  readonly icon?: ReactNode
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
          {words !== undefined && <ChevronDown aria-hidden />}
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
