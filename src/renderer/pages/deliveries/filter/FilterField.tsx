import { Icons } from '#kit/icons.tsx'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { IconButton } from '#kit/Button.tsx'
import { useCombobox } from '#kit/use-combobox.ts'
import { useKeys } from '#client/command-registry.ts'
import { applyText, setFilterText, useDeliveries } from '#client/state/deliveries.ts'
import { complete, type Completions, completionsAt, useSuggestions } from './completions.ts'
import type { Completion, SuggestionRequest } from './value-options.ts'
import { filterFault } from '#client/state/filter.ts'
import { remember, useRecent, useSaved } from './SavedFilters.tsx'
import { useAuthorization } from '#client/state/authorization.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { useLog } from '#client/state/scope.ts'
import { shortText } from '#kit/text/visible.ts'
import type { Filter } from '#contract/filter/ast.ts'
import { isWildcard } from '#contract/filter/check.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { fold, marksOf } from '#kit/text/search-terms.ts'
import './FilterField.css'

function CompletionList({
  box,
  completions,
}: {
  box: ReturnType<typeof useCombobox>
  completions: Completions
}) {
  const active = box.field['aria-activedescendant']
  useEffect(() => {
    const option = active === undefined ? null : document.getElementById(active)
    option?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <ul
      {...box.list}
      className="options completions absolute top-[calc(100%_+_var(--space-1))] right-0 left-0 z-(--layer-menu) m-0 max-h-[min(var(--measure-menu),50vh)] max-w-(--measure-text) overflow-auto rounded-md border border-line bg-raised p-2 shadow-l"
      aria-label="Completions"
    >
      {completions.options.map((option, index) => (
        // The combobox field handles keys.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <li key={`${option.kind} ${option.insert}`} {...box.option(index)} className="option">
          <span className="mono cut max-w-(--measure-menu)">{shortText(option.label, 60)}</span>
          <span className="cut text-dim">{shortText(option.note, 120)}</span>
          <span className="text-xs text-dim">{option.kind}</span>
        </li>
      ))}
    </ul>
  )
}

/** Milliseconds after the last key before the filter is applied. */
const applyAfter = 200
/** Milliseconds after the last key before an error is shown, so that an unfinished term is not reported. */
const showErrorAfter = 700
const maxLength = 4000

function useFilterText(text: string) {
  const timer = useRef(0)
  /** The text whose error is shown. */
  const [checkedText, setCheckedText] = useState<string | null>(text)
  const fault = filterFault(text)
  useEffect(() => {
    const wait = setTimeout(() => setCheckedText(text), showErrorAfter)
    return () => clearTimeout(wait)
  }, [text])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      applyText()
    },
    [],
  )
  return {
    shownFault: fault !== null && checkedText === text ? fault : null,
    /** Changes the text, and applies it soon. */
    change: (written: string): void => {
      useDeliveries.setState({ text: written })
      clearTimeout(timer.current)
      timer.current = window.setTimeout(applyText, applyAfter)
    },
    apply: applyText,
    /** Applies the filter as a new history entry. Shows the error of an invalid filter instead. */
    enter: (written: string): void => {
      clearTimeout(timer.current)
      if (filterFault(written) !== null) {
        setCheckedText(written)
        return
      }
      applyText()
      setFilterText(written)
      remember(written.trim())
    },
  }
}

export function FilterField() {
  const id = useId()
  const text = useDeliveries((state) => state.text)
  const input = useRef<HTMLInputElement>(null)
  const [caret, setCaret] = useState(text.length)
  /** The caret position to set after the next render. */
  const nextCaret = useRef<number | null>(null)
  const { shownFault, change, apply, enter } = useFilterText(text)
  const completions = useCompletions(text, caret)

  useLayoutEffect(() => {
    const field = input.current
    if (!field) return
    if (nextCaret.current !== null) field.setSelectionRange(nextCaret.current, nextCaret.current)
    nextCaret.current = null
  })
  useKeys({
    filter: () => {
      input.current?.focus()
      input.current?.select()
    },
  })

  function write(written: string, at: number): void {
    setCaret(at)
    change(written)
  }
  const box = useCombobox({
    count: completions.options.length,
    completes: completions.to > completions.from,
    onAccept: (index) => {
      const option = completions.options[index]
      if (option) accept(option)
    },
  })
  function accept(option: Completion): void {
    const done = complete(text, completions, option)
    nextCaret.current = done.caret
    write(done.text, done.caret)
    switch (option.kind) {
      case 'field':
        return box.open()
      case 'saved':
      case 'recent':
        box.close()
        return enter(done.text)
      case 'value':
      case 'term':
        box.close()
        apply()
    }
  }
  return (
    <div className="relative min-w-0 flex-1">
      <div className="input-frame" data-wrong={shownFault !== null || undefined}>
        <Icons.Search className="text-dim" />
        <div className="mono relative h-full min-w-0 flex-1 text-s [&_input]:h-full [&_input]:w-full [&_input]:outline-none [&_input]:[font:inherit]">
          <input
            {...box.field}
            ref={input}
            aria-label="Filter"
            data-filter-field
            aria-keyshortcuts="/"
            aria-invalid={shownFault !== null || undefined}
            aria-errormessage={shownFault === null ? undefined : `${id}-fault`}
            placeholder="table:T4 total>40 tab:Miller since:1h words"
            value={text}
            maxLength={maxLength}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            onChange={({ target }) => {
              write(target.value, target.selectionStart ?? target.value.length)
              box.open()
            }}
            onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
            onClick={() => text === '' && box.open()}
            onBlur={() => {
              box.close()
              if (apply()) remember(useDeliveries.getState().filter)
            }}
            onKeyDown={(event) => {
              if (box.onKeyDown(event) || event.nativeEvent.isComposing) return
              if (event.key === ' ' && event.ctrlKey) box.open()
              else if (event.key === 'Enter') {
                box.close()
                enter(text)
              } else if (event.key === 'Escape') event.currentTarget.blur()
              else return
              event.preventDefault()
            }}
          />
        </div>
        {text !== '' && (
          <IconButton
            label="Clear the filter"
            onClick={() => {
              setFilterText('')
              input.current?.focus()
            }}
          >
            <Icons.X />
          </IconButton>
        )}
      </div>
      {box.shown && <CompletionList box={box} completions={completions} />}
      {shownFault !== null && (
        <p
          className="mt-2 flex gap-3 text-s wrap-anywhere text-invalid"
          id={`${id}-fault`}
          role="alert"
        >
          <Icons.CircleAlert className="mt-1" /> Character {shownFault.from + 1}:{' '}
          {shownFault.message}
        </p>
      )}
    </div>
  )
}

function useCompletions(text: string, caret: number): Completions {
  const log = useLog()
  const unknownTypes = useDeliveries((state) => state.unknownTypes)
  const endpoints = useEndpoints((state) => state.endpoints)
  const integrations = useAuthorization((state) => state.integrations)
  const saved = useSaved((state) => state.saved)
  const recent = useRecent((state) => state.recent)
  const known = useMemo(
    () => ({
      unknownTypes,
      // The endpoints of a log are not stored here.
      endpoints: log === null ? endpoints.map(({ name }) => name) : [],
      integrations: log === null ? integrations.map(({ name }) => name) : [],
      saved,
      recent,
    }),
    [unknownTypes, log, endpoints, integrations, saved, recent],
  )
  const [ask, setAsk] = useState<SuggestionRequest | null>(null)
  const suggested = useSuggestions(ask)
  const completions = useMemo(
    () => completionsAt(text, caret, { ...known, suggested }),
    [text, caret, known, suggested],
  )
  const next = completions.ask
  if (next?.field !== ask?.field || next?.prefix !== ask?.prefix) setAsk(next)
  return completions
}

/** Maximum UTF-16 units searched in one text. */
const maxTextLength = 4000
/** Maximum number of highlighted matches on a page. */
const maxHits = 2000

/** Selectors of elements that show values of a delivery: rows, overview, headers and body. */
const places = [
  '.delivery-row :is(.c-type, .c-event, .c-target, .c-location, .c-body)',
  '.detail .ticket-head h3',
  '.detail .ticket-under',
  '.detail .ticket-parts',
  '.detail dd',
  '.detail td',
  '.detail .tree-line',
  '.detail .text-line',
].join(', ')

/** Returns the words and texts that a filter searches for. Negated ones are not highlighted. */
export function searchTermsOf(filter: Filter): readonly string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.flatMap(searchTermsOf)
    case 'all':
    case 'not':
      return []
    case 'text':
      return filter.quoted ? [filter.text] : filter.text.split(/[^\p{L}\p{N}\p{Co}]/u)
    case 'field':
      return filter.field === 'contains' && filter.comparison === '='
        ? filter.values.flatMap((value) => (isWildcard(value) ? value.text.split('*') : value.text))
        : []
  }
}

/** Highlights the words of the filter in the list and the open delivery, including content rendered later. */
export function useSearchHits(): void {
  const filter = useDeliveries((state) => state.filter)
  useEffect(() => {
    const parsed = parseFilter(filter)
    const words = (parsed.ok ? searchTermsOf(parsed.filter) : [])
      .map((word) => fold(word, maxTextLength).text)
      .filter((word) => word !== '')
    // Browsers without the CSS Custom Highlight API show the same results, not highlighted.
    if (words.length === 0 || !('highlights' in CSS)) return undefined
    const highlight = new Highlight()
    CSS.highlights.set('search-hit', highlight)
    let frame = 0
    const mark = (): void => {
      frame = 0
      highlight.clear()
      for (const place of document.querySelectorAll(places)) markIn(place, words, highlight)
    }
    const observer = new MutationObserver(() => {
      if (frame === 0) frame = requestAnimationFrame(mark)
    })
    observer.observe(document.body, { childList: true, characterData: true, subtree: true })
    mark()
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
      CSS.highlights.delete('search-hit')
    }
  }, [filter])
}

function markIn(place: Element, words: readonly string[], highlight: Highlight): void {
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const [from, to] of marksOf(words, node.nodeValue ?? '', maxTextLength)) {
      if (highlight.size >= maxHits) return
      const range = document.createRange()
      range.setStart(node, from)
      range.setEnd(node, to)
      highlight.add(range)
    }
  }
}
