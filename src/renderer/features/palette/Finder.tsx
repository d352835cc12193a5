import { Inbox, ListFilter, Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { counted } from '../../components/text/numbers.ts'
import { shownScope } from '../deliveries/scope/scope.ts'
import { useLogs } from '../logs/store.ts'
import { useBoundCommands } from '../shell/command-registry.ts'
import { useShell } from '../shell/store.ts'
import { commandEntries, logEntries, settingEntries } from './entries.ts'
import { type Choice, doneBy, nothingFound, partsOf } from './parts.ts'
import { sectionsOf } from './sections.ts'
import { closePalette } from './store.ts'
import { useFound } from './use-found.ts'
import { keepText, keptText } from '../../platform/storage.ts'
import { VerdictIcon, verdictWord } from '../../components/Mark.tsx'
import { MarkedText } from '../../components/MarkedText.tsx'
import { cut, visible } from '../../components/text/visible.ts'
import { dayOf, fullTime, shortDate, utcTime } from '../../components/text/time.ts'
import { ClockTime } from '../../components/Time.tsx'
import { useNow } from '../../components/use-now.ts'
import { keyWord } from '../shell/key-labels.ts'
import { deliveryLabels } from './look-for.ts'

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
    () => [...commandEntries(bound), ...settingEntries(capabilities), ...logEntries(logs)],
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
      <div className="palette-field">
        <Search aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={choices.length > 0}
          aria-controls={id}
          aria-activedescendant={active && optionId(active)}
          aria-label="Find a command, a delivery or a setting"
          placeholder="Find a command, a delivery or a setting"
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
      </div>
      {nothing !== null && <p className="palette-nothing">{nothing}</p>}
      <div
        ref={list}
        id={id}
        className="palette-list"
        role="listbox"
        aria-label="Found"
        hidden={choices.length === 0}
      >
        {parts.map(({ title, choices: ofPart }) => (
          <div key={title} role="group" aria-label={title} className="palette-part">
            <div className="palette-title" aria-hidden>
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
      <footer className="palette-foot" aria-hidden>
        <span>
          <kbd>↑</kbd>
          <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>Enter</kbd> go
        </span>
        <span>
          <kbd>Esc</kbd> close
        </span>
        <span className="palette-hint">
          {found.looking ? 'looking through the deliveries…' : 'also #12, an id, a type, a verdict'}
        </span>
      </footer>
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
    <div
      id={id}
      role="option"
      aria-selected={active}
      className="palette-option"
      onMouseMove={active ? undefined : onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onAccept}
    >
      <Line choice={choice} />
    </div>
  )
}

function Line({ choice }: Pick<OptionProps, 'choice'>) {
  switch (choice.kind) {
    case 'entry': {
      const { label, group, icon: Icon, keys } = choice.entry
      return (
        <>
          <Icon aria-hidden className="palette-icon" />
          <span className="palette-label cut">
            <MarkedText text={label} marks={choice.marks} />
          </span>
          <span className="palette-group cut">{group}</span>
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
          <span className="palette-place cut">{visible(cut(row.locationName ?? '', 80))}</span>
          <span className="palette-number">#{row.id}</span>
          <span className="palette-time mono">
            <Arrival at={row.receivedAt} />
          </span>
        </>
      )
    }
    case 'number':
      return (
        <>
          <Inbox aria-hidden className="palette-icon" />
          <span className="palette-label cut">Delivery</span>
          <span className="palette-number">#{choice.number}</span>
        </>
      )
    case 'filter':
      return (
        <>
          <ListFilter aria-hidden className="palette-icon" />
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
