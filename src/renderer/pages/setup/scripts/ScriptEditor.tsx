import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { javascript, localCompletionSource } from '@codemirror/lang-javascript'
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { type EditorState, Prec } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { ScriptFailure } from '#contract/scripts.ts'
import { code, editing, folding, frameIn, viewing } from '#kit/editor/setup.ts'
import { offersAt, type Subject } from './completions.ts'

interface Props {
  text: string
  subject: Subject
  /** Marked at its line and column. */
  failure: ScriptFailure | null
  onChange: (text: string) => void
  onRun: () => void
}

/** Milliseconds to parse the text. After that, the partial syntax tree is used. */
const parseTimeout = 50

/** In its own shadow root. */
export function ScriptEditor(props: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latest = useRef(props)
  const { text, failure } = props

  useLayoutEffect(() => {
    latest.current = props
  })

  useLayoutEffect(() => {
    const element = host.current
    if (!element) return undefined
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const opened = new EditorView({
      doc: latest.current.text,
      extensions: [
        javascript({ typescript: true }),
        viewing,
        folding,
        editing('Script', (text) => latest.current.onChange(text)),
        code,
        lintGutter({ hoverTime: 150 }),
        autocompletion({
          override: [
            (context) => completionsAt(context, latest.current.subject),
            localCompletionSource,
          ],
          icons: false,
          aboveCursor: false,
        }),
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (latest.current.onRun(), true) }])),
      ],
      parent: frameIn(root),
      root,
    })
    view.current = opened
    return () => {
      view.current = null
      opened.destroy()
    }
  }, [])

  // Another file was opened, or the script was saved elsewhere.
  useEffect(() => {
    const editor = view.current
    const insert = text.replaceAll(/\r\n?/g, '\n')
    if (!editor || editor.state.doc.toString() === insert) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert } })
  }, [text])

  useEffect(() => {
    const editor = view.current
    if (!editor) return
    const at = failure && placeOf(editor.state, failure)
    editor.dispatch(
      setDiagnostics(
        editor.state,
        at ? [{ ...at, severity: 'error', message: failure.message }] : [],
      ),
    )
  }, [failure])

  return (
    <div
      className="framed min-h-(--measure-key) overflow-hidden rounded-md bg-surface focus-within:outline-2 focus-within:-outline-offset-2 focus-within:outline-accent"
      ref={host}
      data-testid="script-editor"
    />
  )
}

function placeOf(
  state: EditorState,
  { line, column }: ScriptFailure,
): { from: number; to: number } | null {
  if (line === null || line > state.doc.lines) return null
  const { from: start, to: end } = state.doc.line(line)
  const from = Math.min(start + (column ?? 1) - 1, end)
  const word = state.wordAt(from)
  if (word) return { from, to: word.to }
  return from === end ? { from: start, to: end } : { from, to: from + 1 }
}

function completionsAt(
  { state, pos, explicit }: CompletionContext,
  subject: Subject,
): CompletionResult | null {
  const tree = ensureSyntaxTree(state, pos, parseTimeout) ?? syntaxTree(state)
  const found = offersAt(tree, (from, to) => state.sliceDoc(from, to), pos, subject)
  if (!found) return null
  const { from, to, word, offers } = found
  // Otherwise Enter would accept a completion instead of adding a line.
  if (!explicit && from === pos && word === pos) return null
  return {
    from: word,
    options: offers.map(({ name, detail, info, text }, index) => ({
      label: name,
      detail,
      ...(info !== '' && { info }),
      boost: -index,
      apply: (view, _, filteredFrom, until) =>
        view.dispatch({
          changes: { from: filteredFrom - (word - from), to: until + (to - pos), insert: text },
          selection: { anchor: filteredFrom - (word - from) + text.length },
          userEvent: 'input.complete',
          scrollIntoView: true,
        }),
    })),
    validFor: /^[\w$-]{0,200}$/,
  }
}
