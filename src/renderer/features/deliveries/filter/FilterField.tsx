import { CircleAlert, Search, X } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '#renderer/components/Button.tsx'
import { cx } from '#renderer/components/cx.ts'
import { useCombobox } from '#renderer/components/use-combobox.ts'
import { useKeys } from '../../shell/bound.ts'
import { applyText, setFilterText, useDeliveries } from '../store.ts'
import { complete } from './completions.ts'
import type { Completion } from './value-options.ts'
import { CompletionList } from './CompletionList.tsx'
import { paintable, strokesOf } from './paint.ts'
import { filterFault } from './reading.ts'
import { remember } from './recent.ts'
import { useCompletions } from './use-completions.ts'
import './FilterField.css'

/** Milliseconds after the last key: then the list is by what is written. */
const applyAfter = 200
/** Milliseconds after the last key: a term that is just being written is not called wrong. */
const complainAfter = 700
const longest = 4000

/** The filter as text: painted, completed, and told where it cannot be read. */
export function FilterField() {
  const id = useId()
  const text = useDeliveries((state) => state.text)
  const input = useRef<HTMLInputElement>(null)
  const paint = useRef<HTMLDivElement>(null)
  const timer = useRef(0)
  const [caret, setCaret] = useState(text.length)
  /** Where the caret goes once the text is drawn. */
  const goTo = useRef<number | null>(null)
  /** The text whose fault is told. */
  const [complained, setComplained] = useState<string | null>(text)
  const fault = filterFault(text)
  const told = fault !== null && complained === text ? fault : null
  const completions = useCompletions(text, caret)

  useEffect(() => {
    const wait = setTimeout(() => setComplained(text), complainAfter)
    return () => clearTimeout(wait)
  }, [text])
  useLayoutEffect(() => {
    const field = input.current
    if (!field) return
    if (goTo.current !== null) field.setSelectionRange(goTo.current, goTo.current)
    goTo.current = null
    if (paint.current) paint.current.scrollLeft = field.scrollLeft
  })
  // What was written in the last moment counts, too.
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      applyText()
    },
    [],
  )
  useKeys({
    filter: () => {
      input.current?.focus()
      input.current?.select()
    },
  })

  function write(written: string, at: number): void {
    useDeliveries.setState({ text: written })
    setCaret(at)
    clearTimeout(timer.current)
    timer.current = window.setTimeout(applyText, applyAfter)
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
    goTo.current = done.caret
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
        applyText()
    }
  }
  /** Takes what is written as a choice, to which Back leads; refuses what cannot be read. */
  function enter(written: string): void {
    clearTimeout(timer.current)
    if (filterFault(written) !== null) {
      setComplained(written)
      return
    }
    applyText()
    setFilterText(written)
    remember(written.trim())
  }

  const painted = paintable(text)
  return (
    <div className="filter-field">
      <div className="filter-frame" data-wrong={told !== null || undefined}>
        <Search aria-hidden className="filter-glass" />
        <div className="filter-text mono">
          {painted && (
            <div className="filter-paint" ref={paint} aria-hidden>
              {strokesOf(text, told).map((stroke) => (
                <span
                  key={stroke.from}
                  data-kind={stroke.kind}
                  data-wrong={stroke.wrong || undefined}
                >
                  {stroke.text}
                </span>
              ))}
            </div>
          )}
          <input
            {...box.field}
            ref={input}
            className={cx(painted && 'painted')}
            aria-label="Filter"
            data-filter-field
            aria-keyshortcuts="/"
            aria-invalid={told !== null || undefined}
            aria-errormessage={told === null ? undefined : `${id}-fault`}
            placeholder="type:ORDER_PLACED verdict:invalid since:2h words"
            value={text}
            maxLength={longest}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            onChange={({ target }) => {
              write(target.value, target.selectionStart ?? target.value.length)
              box.open()
            }}
            onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
            onScroll={({ currentTarget }) => {
              if (paint.current) paint.current.scrollLeft = currentTarget.scrollLeft
            }}
            onClick={() => text === '' && box.open()}
            onBlur={() => {
              box.close()
              if (applyText()) remember(useDeliveries.getState().filter)
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
            <X aria-hidden />
          </IconButton>
        )}
      </div>
      {box.shown && <CompletionList box={box} completions={completions} />}
      {told !== null && (
        <p className="filter-fault" id={`${id}-fault`} role="alert">
          <CircleAlert aria-hidden /> {told.message}
        </p>
      )}
    </div>
  )
}
