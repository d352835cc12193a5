import { unknownTime } from '#contract/constants.ts'
import { Icons } from '#kit/icons.tsx'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { plural } from '#shared/text/format.ts'
import { shownScope, type Scope } from '#client/state/scope.ts'
import { useLogs } from '#client/state/logs.ts'
import { useBoundCommands } from '#client/command-registry.ts'
import { useShell } from '#client/state/app.ts'
import {
  commandEntries,
  type Entry,
  guideEntries,
  guideSections,
  logEntries,
  settingEntries,
} from './entries.ts'
import { sectionsOf, type Section, type SectionEntry } from './sections.ts'
import { useDeliverySearch, type DeliverySearch } from './use-delivery-search.ts'
import { loadRecent, saveRecent } from '#kit/storage.ts'
import { VerdictIcon, verdictWord } from '#kit/Mark.tsx'
import { MarkedText } from '#kit/Shown.tsx'
import { shortText } from '#kit/text/visible.ts'
import { dayOf, shortDate } from '#kit/text/time.ts'
import { ClockTime, Time, useNow } from '#kit/Time.tsx'
import { keyLabel } from '#kit/text/key-labels.ts'
import { deliveryLabels, deliveryMarks, filterOf, isDeliveryId, numberIn } from './query.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { searchTermsOf } from '#kit/text/search-terms.ts'
import { deliveryAddress, filterAddress } from '#client/addresses/deliveries.ts'
import { closeDelivery } from '#client/state/deliveries.ts'
import { Dialog as Radix } from 'radix-ui'
import { restoreFocus } from '#kit/Dialog.tsx'
import { closePalette, paletteClosed } from '#client/state/overlays.ts'
import './Palette.css'

const storageKey = 'tabscope.palette-recent'
const maxRecent = 20
const maxIdLength = 120

const recentIds = (): readonly string[] => loadRecent(storageKey, maxRecent)

const maxQueryLength = 200

function useResults(query: string, scope: Scope) {
  const [recent] = useState(recentIds)
  const bound = useBoundCommands((state) => state.names)
  const capabilities = useShell((state) => state.capabilities)
  const logs = useLogs((state) => state.logs)
  const [guide, setGuide] = useState<readonly Entry[]>([])
  useEffect(() => {
    let current = true
    void guideSections(query).then(
      (found) => current && setGuide(found),
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [query])
  const entries = useMemo(
    () => [
      ...commandEntries(bound),
      ...settingEntries(capabilities),
      ...guideEntries,
      ...logEntries(logs),
    ],
    [bound, capabilities, logs],
  )
  const sections = useMemo(
    () => sectionsOf(query, entries, recent, guide),
    [query, entries, recent, guide],
  )
  const search = useDeliverySearch(query, scope)
  const parts = partsOf(query, sections, search)
  const emptyMessage = nothingFound(query, parts, search)
  return { parts, emptyMessage, searching: search.searching }
}

/** The search field and its results. One result is always active, so that Enter runs it (ARIA APG, "combobox with list autocomplete"). */
export function Finder() {
  const id = useId()
  const [query, setQuery] = useState('')
  /** The choice that the user moved to. New results do not change it. If it disappears, the first choice is active. */
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const [scope] = useState(shownScope)
  const { parts, emptyMessage, searching } = useResults(query, scope)
  const choices = parts.flatMap((part) => part.choices)
  const active = choices.find((choice) => choice.id === selectedId) ?? choices[0]

  function accept(choice: Choice | undefined): void {
    if (!choice) return
    // Only entries are remembered, because a delivery or filter is unlikely to be needed again.
    if (choice.kind === 'entry' && choice.id.length <= maxIdLength) {
      saveRecent(storageKey, maxRecent, choice.id, recentIds())
    }
    closePalette(actionOf(choice, scope))
  }
  function move(to: number): void {
    setSelectedId(choices[(to + choices.length) % choices.length]?.id ?? null)
  }
  const index = active ? choices.indexOf(active) : 0
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(index + 1),
    ArrowUp: () => move(index - 1),
    Enter: () => accept(active),
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
      <div className="flex h-(--bar) flex-none items-center gap-4 border-b border-line px-6 [&_input]:h-full [&_input]:flex-1 [&_input]:text-[length:var(--text-l)] [&_input]:text-ellipsis [&_input:focus-visible]:outline-none">
        <Icons.Search className="text-dim" />
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
          maxLength={maxQueryLength}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setSelectedId(null)
            list.current?.scrollTo({ top: 0 })
          }}
          onKeyDown={(event) => {
            const isClosing = event.key === 'k' && (event.ctrlKey || event.metaKey)
            const run = isClosing ? () => closePalette() : keys[event.key]
            // During composition, keys belong to the input method.
            if (!run || event.nativeEvent.isComposing) return
            event.preventDefault()
            run()
          }}
        />
      </div>
      {emptyMessage !== null && (
        <p className="palette-nothing px-6 py-5 text-mid">{emptyMessage}</p>
      )}
      <div
        ref={list}
        id={id}
        className="palette-list"
        role="listbox"
        aria-label="Results"
        hidden={choices.length === 0}
      >
        {parts.map(({ title, choices: partChoices }) => (
          <div key={title} role="group" aria-label={title}>
            <div className="px-4 py-3 text-xs font-semibold text-dim" aria-hidden>
              {title}
            </div>
            {partChoices.map((choice) => (
              // The field has the focus and handles the keys. A click does the same as Enter.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <div
                key={choice.id}
                className="palette-option flex h-(--control-l) cursor-default items-center gap-4 rounded-md px-4 whitespace-nowrap text-dim aria-selected:bg-accent-soft aria-selected:text-mid aria-selected:[&_svg.icon]:text-accent"
                id={optionId(choice)}
                role="option"
                aria-selected={choice === active}
                // The pointer moved over the option. A pointer at rest does not select.
                onMouseMove={choice === active ? undefined : () => setSelectedId(choice.id)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => accept(choice)}
              >
                <OptionContent choice={choice} />
              </div>
            ))}
          </div>
        ))}
      </div>
      <p className="visually-hidden" role="status">
        {searching ? '' : (emptyMessage ?? plural(choices.length, 'result', 'results'))}
      </p>
      <footer
        className="flex h-(--control) flex-none items-center gap-6 border-t border-line bg-surface px-6 text-xs text-dim"
        aria-hidden
      >
        {keyHints.map((hint) => (
          <span key={hint.word} className="flex items-center gap-2">
            {hint.keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}{' '}
            {hint.word}
          </span>
        ))}
        <span className="ml-auto below-560:hidden">
          {searching ? 'searching deliveries…' : 'also #12, an ID, a type, a verdict'}
        </span>
      </footer>
    </>
  )
}

const keyHints = [
  { keys: ['↑', '↓'], word: 'select' },
  { keys: ['Enter'], word: 'open' },
  { keys: ['Esc'], word: 'close' },
]

function OptionContent({ choice }: { choice: Choice }) {
  switch (choice.kind) {
    case 'entry': {
      const { label, group, icon: Icon, keys } = choice.entry
      return (
        <>
          <Icon aria-hidden />
          <span className="cut flex-1 text-ink">
            <MarkedText text={label} marks={choice.marks} />
          </span>
          <span className="cut max-w-(--measure-field) flex-none text-s below-560:hidden">
            {group}
          </span>
          <span className="min-w-(--control) flex-none text-right below-560:empty:hidden">
            {keys[0] !== undefined && <kbd>{keyLabel(keys[0])}</kbd>}
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
          <span className="mono cut w-(--measure-field) flex-none text-ink below-560:w-auto below-560:max-w-[45%]">
            <MarkedText text={type} marks={marks.type} />
          </span>
          <span className="cut flex-1 text-ink">
            <MarkedText text={title} marks={marks.title} />
          </span>
          <span className="cut max-w-(--measure-field) flex-none text-s below-560:hidden">
            {shortText(row.locationName ?? '', 80)}
          </span>
          <span className="palette-number min-w-(--control) flex-none text-right text-s">
            #{row.id}
          </span>
          <span className="mono min-w-(--measure-key) flex-none text-right text-s below-560:hidden">
            <ReceivedTime at={row.receivedAt} />
          </span>
        </>
      )
    }
    case 'number':
      return (
        <>
          <Icons.Inbox />
          <span className="cut flex-1 text-ink">Delivery #{choice.number}</span>
        </>
      )
    case 'filter':
      return (
        <>
          <Icons.ListFilter />
          <span className="cut flex-1 text-ink">
            Filter deliveries for <code className="mono">{shortText(choice.filter, 200)}</code>
          </span>
        </>
      )
  }
}

function ReceivedTime({ at }: { at: number }) {
  const now = useNow()
  return at === unknownTime || dayOf(at) === dayOf(now) ? (
    <ClockTime at={at} />
  ) : (
    <Time at={at}>{shortDate(at)}</Time>
  )
}

type Choice =
  | ({ readonly kind: 'entry'; readonly id: string } & SectionEntry)
  | {
      readonly kind: 'delivery'
      readonly id: string
      readonly row: DeliverySummary
      /** The matched parts of type and title. */
      readonly marks: ReturnType<typeof deliveryMarks>
    }
  /** The delivery with the entered number, before it is known whether it exists. */
  | { readonly kind: 'number'; readonly id: string; readonly number: number }
  | { readonly kind: 'filter'; readonly id: string; readonly filter: string }

interface Part {
  readonly title: string
  readonly choices: readonly Choice[]
}

/** All choices, in the order shown. */
export function partsOf(
  query: string,
  sections: readonly Section[],
  { rows, searching }: Pick<DeliverySearch, 'rows' | 'searching'>,
): readonly Part[] {
  const words = searchTermsOf(query)
  const entries = sections.map(({ title, entries: sectionEntries }) => ({
    title,
    choices: sectionEntries.map((item) => ({ kind: 'entry' as const, id: item.entry.id, ...item })),
  }))
  const found: readonly Choice[] = rows.map((row) => ({
    kind: 'delivery',
    id: deliveryId(row.id),
    row,
    marks: deliveryMarks(words, row),
  }))
  const number = numberIn(query)
  // The user can press Enter before the search has finished.
  const guess: readonly Choice[] =
    number === null || !searching || rows.some(({ id }) => id === number)
      ? []
      : [{ kind: 'number', id: deliveryId(number), number }]
  const deliveries = {
    title: query.trim() === '' ? 'Newest deliveries' : 'Deliveries',
    choices: [...guess, ...found],
  }
  // A number or ID is a delivery, so deliveries come first. Without a query, the newest deliveries come before the list of all commands.
  const position =
    query.trim() === '' ? sections.length - 1 : number !== null || isDeliveryId(query) ? 0 : 1
  const filter = number !== null && isDeliveryId(query) ? '' : filterOf(query)
  const parts: Part[] = [...entries.slice(0, position), deliveries, ...entries.slice(position)]
  if (filter !== '') {
    parts.push({ title: 'Filter', choices: [{ kind: 'filter', id: 'filter', filter }] })
  }
  return parts.filter(({ choices }) => choices.length > 0)
}

/** The message if there are no results except the filter; null if there are results or the search is still running. */
export function nothingFound(
  query: string,
  parts: readonly Part[],
  search: DeliverySearch,
): string | null {
  const some = parts.some(({ choices }) => choices.some(({ kind }) => kind !== 'filter'))
  if (query.trim() === '' || some || search.searching) return null
  if (isDeliveryId(query)) return 'Delivery not found.'
  return search.complete
    ? 'No results'
    : 'No results so far. Not every delivery was searched. Filter deliveries to search all of them.'
}

function deliveryId(id: number): string {
  return `delivery:${id}`
}

function actionOf(choice: Choice, scope: Scope): () => void {
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
        // In a small window, an open delivery would hide the list.
        closeDelivery()
      }
  }
}

/** Finds and runs commands, and finds deliveries, event logs and settings. */
export function Palette({ open }: { open: boolean }) {
  const previousFocus = useRef<Element | null>(null)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && closePalette()}>
      <Radix.Portal>
        <div className="fixed inset-0 z-(--layer-dialog) [animation:fade_var(--ease)] bg-(--scrim)" />
        <Radix.Content
          className="palette flex flex-col focus:outline-none"
          data-modal
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            previousFocus.current = document.activeElement
          }}
          // Restore the focus first, so that the choice acts on the page below, as if its key was pressed there.
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            restoreFocus(previousFocus.current)
            paletteClosed()
          }}
        >
          <Radix.Title className="visually-hidden">Find a command or delivery</Radix.Title>
          <Finder />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
