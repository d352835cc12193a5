import { Inbox, ListFilter, Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Text, Row } from '../../ui/Layout.tsx'
import { counted } from '../../ui/text/numbers.ts'
import { shownScope, type Scope } from '../../state/scope.ts'
import { useLogs } from '../../state/logs.ts'
import { useBoundCommands } from '../../platform/command-registry.ts'
import { useShell } from '../../state/app.ts'
import { commandEntries, guideEntries, logEntries, settingEntries } from './entries.ts'
import { sectionsOf, type Offered, type Section } from './sections.ts'
import { closePalette } from '../../state/palette.ts'
import { useFound, type Found } from './use-found.ts'
import { keepText, keptText } from '../../platform/storage.ts'
import { VerdictIcon, verdictWord } from '../../ui/Mark.tsx'
import { MarkedText } from '../../ui/MarkedText.tsx'
import { cut, visible } from '../../ui/text/visible.ts'
import { dayOf, fullTime, shortDate, utcTime } from '../../ui/text/time.ts'
import { ClockTime } from '../../ui/Time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { keyWord } from '../../platform/keys.ts'
import { deliveryLabels, deliveryMarks, filterOf, meansOne, numberIn } from './look-for.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { searchTermsOf } from '../../ui/text/search-terms.ts'
import { deliveryAddress, filterAddress } from '../../routes/deliveries.ts'
import { closeDelivery } from '../../state/deliveries.ts'

const key = 'tabscope.palette-recent'
const kept = 20
const longestId = 120

/** What was chosen in the palette lately, the last first, by the ids of its entries. It stays in this browser or window. */
function recentIds(): readonly string[] {
  try {
    const value: unknown = JSON.parse(keptText(key) ?? '[]')
    const ids = Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
    return ids.slice(0, kept)
  } catch {
    return []
  }
}

function rememberId(id: string): void {
  if (id.length > longestId) return
  const ids = [id, ...recentIds().filter((other) => other !== id)].slice(0, kept)
  keepText(key, JSON.stringify(ids))
}

const longestQuery = 200
/** As far as Page up and Page down go. */
const stride = 8

/** One field, and under it all that fits; one of them is always chosen, so that Enter does it (ARIA APG, "combobox with list autocomplete"). */
export function Finder() {
  const id = useId()
  const [query, setQuery] = useState('')
  /** What was chosen by hand. What comes later, or goes, does not move it; the first where it is gone. */
  const [chosen, setChosen] = useState<string | null>(null)
  const [scope] = useState(shownScope)
  const [used] = useState(recentIds)
  const bound = useBoundCommands((state) => state.names)
  const capabilities = useShell((state) => state.capabilities)
  const logs = useLogs((state) => state.logs)
  const entries = useMemo(
    () => [
      ...commandEntries(bound),
      ...settingEntries(capabilities),
      ...guideEntries,
      ...logEntries(logs),
    ],
    [bound, capabilities, logs],
  )
  const sections = useMemo(() => sectionsOf(query, entries, used), [query, entries, used])
  const found = useFound(query, scope)
  const parts = partsOf(query, sections, found)
  const nothing = nothingFound(query, parts, found)
  const choices = parts.flatMap((part) => part.choices)
  const active = choices.find((choice) => choice.id === chosen) ?? choices[0]

  function accept(choice: Choice | undefined): void {
    if (!choice) return
    // A delivery or a filter is of the moment: only what can be wanted again is remembered.
    if (choice.kind === 'entry') rememberId(choice.id)
    closePalette(doneBy(choice, scope))
  }
  function move(to: number): void {
    setChosen(choices[(to + choices.length) % choices.length]?.id ?? null)
  }
  function handles(event: KeyboardEvent<HTMLInputElement>): boolean {
    const at = active ? choices.indexOf(active) : 0
    const mod = event.ctrlKey || event.metaKey
    switch (event.key) {
      case 'ArrowDown':
        move(at + 1)
        return true
      case 'ArrowUp':
        move(at - 1)
        return true
      case 'PageDown':
        move(Math.min(at + stride, choices.length - 1))
        return true
      case 'PageUp':
        move(Math.max(at - stride, 0))
        return true
      // They move in what is typed first, as everywhere.
      case 'Home':
        if (event.shiftKey || (!mod && event.currentTarget.selectionEnd !== 0)) return false
        move(0)
        return true
      case 'End':
        if (event.shiftKey || (!mod && event.currentTarget.selectionStart !== query.length))
          return false
        move(choices.length - 1)
        return true
      case 'Enter':
        accept(active)
        return true
      case 'k':
        if (mod) closePalette()
        return mod
      default:
        return false
    }
  }

  const list = useRef<HTMLDivElement>(null)
  const activeId = active?.id
  useEffect(() => {
    if (activeId === undefined) return
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  const optionId = (choice: Choice): string => `${id}-${choice.id}`
  return (
    <>
      <Row align="center" gap={4} pad={[0, 6]} line="bottom" className="palette-field">
        <Search className="tone-dim" aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={choices.length > 0}
          aria-controls={id}
          aria-activedescendant={active && optionId(active)}
          aria-label="Find a command, delivery or setting"
          placeholder="Find a command, delivery or setting"
          spellCheck={false}
          autoComplete="off"
          maxLength={longestQuery}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setChosen(null)
            list.current?.scrollTo({ top: 0 })
          }}
          onKeyDown={(event) => {
            // While characters are being composed the keys are the input method's.
            if (!event.nativeEvent.isComposing && handles(event)) event.preventDefault()
          }}
        />
      </Row>
      {nothing !== null && <p className="palette-nothing pad-y-5 pad-x-6 mid">{nothing}</p>}
      <div
        ref={list}
        id={id}
        className="palette-list"
        role="listbox"
        aria-label="Found"
        hidden={choices.length === 0}
      >
        {parts.map(({ title, choices: ofPart }) => (
          <div key={title} role="group" aria-label={title}>
            <div className="pad-y-3 pad-x-4 size-xs weight-semibold tone-dim" aria-hidden>
              {title}
            </div>
            {ofPart.map((choice) => (
              <Option
                key={choice.id}
                id={optionId(choice)}
                choice={choice}
                active={choice === active}
                onPoint={() => setChosen(choice.id)}
                onAccept={() => accept(choice)}
              />
            ))}
          </div>
        ))}
      </div>
      <p className="visually-hidden" role="status">
        {found.looking ? '' : (nothing ?? counted(choices.length, 'result', 'results'))}
      </p>
      <Row
        as="footer"
        align="center"
        gap={6}
        pad={[0, 6]}
        line="top"
        ground="surface"
        tone="dim"
        size="xs"
        className="palette-foot"
        aria-hidden
      >
        <Row as="span" align="center" gap={2}>
          <kbd>↑</kbd>
          <kbd>↓</kbd> choose
        </Row>
        <Row as="span" align="center" gap={2}>
          <kbd>Enter</kbd> go
        </Row>
        <Row as="span" align="center" gap={2}>
          <kbd>Esc</kbd> close
        </Row>
        <Text push className="palette-hint">
          {found.looking ? 'searching deliveries…' : 'also #12, an ID, a type, a verdict'}
        </Text>
      </Row>
    </>
  )
}

interface OptionProps {
  readonly id: string
  readonly choice: Choice
  readonly active: boolean
  /** The pointer moved over it: what lies under a pointer that rests is not chosen by that. */
  readonly onPoint: () => void
  readonly onAccept: () => void
}

/** One line of the palette. The field holds the focus. */
function Option({ id, choice, active, onPoint, onAccept }: OptionProps) {
  return (
    // The field holds the focus and handles the keys; a click is the pointer's way of the same.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <Row
      align="center"
      gap={4}
      className="palette-option"
      id={id}
      role="option"
      aria-selected={active}
      onMouseMove={active ? undefined : onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onAccept}
    >
      <Line choice={choice} />
    </Row>
  )
}

function Line({ choice }: Pick<OptionProps, 'choice'>) {
  switch (choice.kind) {
    case 'entry': {
      const { label, group, icon: Icon, keys } = choice.entry
      return (
        <>
          <Icon aria-hidden />
          <span className="palette-label cut">
            <MarkedText text={label} marks={choice.marks} />
          </span>
          <span className="palette-group size-s cut">{group}</span>
          <span className="palette-keys">
            {keys[0] !== undefined && <kbd>{keyWord(keys[0])}</kbd>}
          </span>
        </>
      )
    }
    case 'delivery': {
      const { row, marks } = choice
      const { type, title } = deliveryLabels(row)
      return (
        <>
          <span className="disc" data-tone={row.verdict} title={verdictWord(row.verdict)}>
            <VerdictIcon verdict={row.verdict} />
          </span>
          <span className="visually-hidden">{verdictWord(row.verdict)}, </span>
          <span className="palette-type mono cut">
            <MarkedText text={type} marks={marks.type} />
          </span>
          <span className="palette-label cut">
            <MarkedText text={title} marks={marks.title} />
          </span>
          <span className="palette-place size-s cut">
            {visible(cut(row.locationName ?? '', 80))}
          </span>
          <span className="palette-number size-s">#{row.id}</span>
          <span className="palette-time mono size-s">
            <Arrival at={row.receivedAt} />
          </span>
        </>
      )
    }
    case 'number':
      return (
        <>
          <Inbox aria-hidden />
          <span className="palette-label cut">Delivery</span>
          <span className="palette-number size-s">#{choice.number}</span>
        </>
      )
    case 'filter':
      return (
        <>
          <ListFilter aria-hidden />
          <span className="palette-label cut">
            Filter deliveries for <code className="mono">{visible(cut(choice.filter, 200))}</code>
          </span>
        </>
      )
  }
}

/** By its clock what came today, by its day what came before: what is found may be a month old. */
function Arrival({ at }: { readonly at: number }) {
  const now = useNow()
  return dayOf(at) === dayOf(now) ? (
    <ClockTime at={at} />
  ) : (
    <time dateTime={utcTime(at)} title={fullTime(at)}>
      {shortDate(at)}
    </time>
  )
}

/** One thing that can be chosen. `id` is unique in the list. */
type Choice =
  | ({ readonly kind: 'entry'; readonly id: string } & Offered)
  | {
      readonly kind: 'delivery'
      readonly id: string
      readonly row: DeliverySummary
      /** What of it was matched. */
      readonly marks: ReturnType<typeof deliveryMarks>
    }
  /** The delivery whose number was written, before it is known whether there is one. */
  | { readonly kind: 'number'; readonly id: string; readonly number: number }
  | { readonly kind: 'filter'; readonly id: string; readonly filter: string }

interface Part {
  readonly title: string
  readonly choices: readonly Choice[]
}

/** All that is offered, in the order in which it is shown. */
export function partsOf(
  query: string,
  sections: readonly Section[],
  { rows, looking }: Pick<Found, 'rows' | 'looking'>,
): readonly Part[] {
  const words = searchTermsOf(query)
  const entries = sections.map(({ title, offered }) => ({
    title,
    choices: offered.map((one) => ({ kind: 'entry' as const, id: one.entry.id, ...one })),
  }))
  const known: readonly Choice[] = rows.map((row) => ({
    kind: 'delivery',
    id: deliveryId(row.id),
    row,
    marks: deliveryMarks(words, row),
  }))
  const number = numberIn(query)
  // Whoever types on and presses Enter must not have to wait until it is found.
  const guess: readonly Choice[] =
    number === null || !looking || rows.some(({ id }) => id === number)
      ? []
      : [{ kind: 'number', id: deliveryId(number), number }]
  const deliveries = {
    title: query.trim() === '' ? 'Newest deliveries' : 'Deliveries',
    choices: [...guess, ...known],
  }
  // What cannot be a command is a delivery; and before anything is typed, what came last is nearer than all that one could do.
  const before =
    query.trim() === '' ? sections.length - 1 : number !== null || meansOne(query) ? 0 : 1
  const filter = number !== null && meansOne(query) ? '' : filterOf(query)
  const parts: Part[] = [...entries.slice(0, before), deliveries, ...entries.slice(before)]
  if (filter !== '') {
    parts.push({ title: 'Filter', choices: [{ kind: 'filter', id: 'filter', filter }] })
  }
  return parts.filter(({ choices }) => choices.length > 0)
}

/** What is said where nothing but the way to the filter is offered; null: something is, or it is still looked for. */
export function nothingFound(query: string, parts: readonly Part[], found: Found): string | null {
  const some = parts.some(({ choices }) => choices.some(({ kind }) => kind !== 'filter'))
  if (query.trim() === '' || some || found.looking) return null
  if (meansOne(query)) return 'Delivery not found.'
  return found.whole
    ? 'No results'
    : 'No results so far. Not every delivery was searched. Filter deliveries to search all of them.'
}

/** The same before and after it is found. */
function deliveryId(id: number): string {
  return `delivery:${id}`
}

/** What choosing does, in the scope of deliveries that was looked through. */
function doneBy(choice: Choice, scope: Scope): () => void {
  switch (choice.kind) {
    case 'entry':
      return choice.entry.run
    case 'delivery':
      return () => location.assign(deliveryAddress(choice.row.id, scope))
    case 'number':
      return () => location.assign(deliveryAddress(choice.number, scope))
    case 'filter':
      return () => {
        location.assign(filterAddress(choice.filter, scope))
        // It would hide the list in a small window.
        closeDelivery()
      }
  }
}
