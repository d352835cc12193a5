import { Search } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { counted } from '../../components/text/numbers.ts'
import { shownScope } from '../deliveries/scope/scope.ts'
import { useLogs } from '../logs/store.ts'
import { useBound } from '../shell/bound.ts'
import { useShell } from '../shell/store.ts'
import { commandEntries, logEntries, settingEntries } from './entries.ts'
import { Option } from './Option.tsx'
import { doneBy, nothingFound, partsOf } from './parts.ts'
import type { Choice } from './parts.ts'
import { recentIds, rememberId } from './recent.ts'
import { sectionsOf } from './sections.ts'
import { closePalette } from './store.ts'
import { useFound } from './use-found.ts'

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
  const bound = useBound((state) => state.names)
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
