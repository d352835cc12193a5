import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Finding } from '#contract/models.ts'
import { historyField } from '@codemirror/commands'
import { type Diagnostic, setDiagnostics, lintGutter } from '@codemirror/lint'
import { unifiedMergeView } from '@codemirror/merge'
import { openSearchPanel } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { withLineEnds, lineEndsOf, separatorOf } from '../body/body-modes.ts'
import { frameIn, code, editing, folding, viewing } from '#kit/editor/setup.ts'
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import { escapeControls } from '#kit/text/visible.ts'
import { describeFault, placeInTree } from './json-place.ts'
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from '@codemirror/autocomplete'
import { json } from '@codemirror/lang-json'
import { type Offer, offersAt } from './json-completions.ts'

interface Props {
  /** The initial text. Later changes stay in the editor. */
  text: string
  /** The original text to compare with; null if there is none. */
  original: string | null
  language: Language
  /** Whether the text is short enough to be checked while typing. */
  checked: boolean
  brand: string
  findings: readonly Finding[]
  /** Whether placeholders are filled in before sending. */
  filled: boolean
  onChange: (text: string) => void
  /** Called with the editor when it opens, and with null when it closes. */
  onEditor: (editor: Editor | null) => void
}

/** Up to this many characters a text is checked at each key, a longer one after a pause of `rest` milliseconds. */
const small = 64 * 1024
const rest = 250

/** The code editor, in its own shadow root. Use a different component key for a different language. */
export function CodeEditor(props: Props) {
  const { text, original, language, checked, brand, findings, filled, onChange } = props
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef({ text, brand, findings, filled, onChange })
  const own = useRef<Editor | null>(null)
  const left = useRef<ReturnType<Editor['state']> | null>(null)
  const { onEditor } = props

  useLayoutEffect(() => {
    latest.current = { text, brand, findings, filled, onChange }
  })

  useLayoutEffect(() => {
    const element = host.current
    if (!element) return undefined
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const before = left.current
    let timer: ReturnType<typeof setTimeout> | undefined
    const opened = openEditor({
      root,
      text: before?.sliceDoc() ?? latest.current.text,
      original,
      language,
      checked,
      label: 'Body',
      brand: () => latest.current.brand,
      onChange: (written) => {
        latest.current.onChange(written)
        if (timer !== undefined) clearTimeout(timer)
        if (written.length <= small) opened.checkReading(latest.current.filled)
        else timer = setTimeout(() => opened.checkReading(latest.current.filled), rest)
      },
      before,
    })
    own.current = opened
    onEditor(opened)
    opened.check(latest.current.findings, latest.current.filled)
    return () => {
      clearTimeout(timer)
      left.current = opened.state()
      own.current = null
      onEditor(null)
      opened.close()
    }
  }, [original, language, checked, onEditor])

  useEffect(() => own.current?.check(findings, filled), [findings, filled])

  return (
    <div
      className="min-h-(--measure-key) flex-1 border-t border-t-line-soft bg-surface focus-within:outline-2 focus-within:-outline-offset-2 focus-within:outline-accent"
      ref={host}
      data-testid="body-editor"
    />
  )
}

interface EditorOptions {
  /** The container. In a shadow root, styles need no style element, which the content security policy would block. */
  readonly root: ShadowRoot
  readonly text: string
  /** The original in the same language, which the text is compared with; null: it is not. */
  readonly original: string | null
  readonly language: Language
  readonly checked: boolean
  readonly label: string
  readonly brand: () => string
  readonly onChange: (text: string) => void
  /** The state of the editor that this one replaces, to keep its undo history. */
  readonly before: EditorState | null
}

export type Editor = ReturnType<typeof openEditor>

const comparing = {
  highlightChanges: true,
  gutter: true,
  // Limits the time of a comparison. Beyond it, the result is less precise.
  diffConfig: { scanLimit: 500, timeout: 150 },
} as const

/** Opens an editor in a shadow root. Close a previous one first. */
export function openEditor(options: EditorOptions) {
  const { root, text, original, language, before } = options
  const selection = before && before.sliceDoc() === text ? { selection: before.selection } : {}
  const view = new EditorView({
    doc: text,
    extensions: [
      writable(options),
      before ? historyField.init(() => before.field(historyField)) : [],
      original === null ? [] : unifiedMergeView({ original, mergeControls: false, ...comparing }),
    ],
    parent: frameIn(root),
    root,
    ...selection,
  })
  let broken = false
  return {
    state: () => view.state,
    /** Shows errors and findings of the current text. */
    check(findings: readonly Finding[], filled: boolean) {
      const found = diagnosticsOf(view.state, { language, findings, filled })
      view.dispatch(setDiagnostics(view.state, options.checked ? found : []))
      broken = false
    },
    /** Shows syntax errors immediately. Earlier findings move along with the text until they are updated. */
    checkReading(filled: boolean) {
      const faults = options.checked
        ? diagnosticsOf(view.state, { language, findings: [], filled })
        : []
      if (faults.length > 0 || broken) view.dispatch(setDiagnostics(view.state, faults))
      broken = faults.length > 0
    },
    /** Replaces the text in one undoable step. */
    replace(next: string) {
      const written = withLineEnds(next, view.state.lineBreak === '\r\n' ? '\r\n' : '\n')
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: written },
        userEvent: 'input',
      })
    },
    focus: () => view.focus(),
    find: () => openSearchPanel(view),
    close: () => view.destroy(),
  }
}

interface Known {
  readonly language: Language
  /** What Tabscope would find if it received this body. */
  readonly findings: readonly Finding[]
  /** Whether placeholders are filled in before sending. */
  readonly filled: boolean
}

function diagnosticsOf(state: EditorState, known: Known): Diagnostic[] {
  // The editor counts each line ending as one character.
  const text = state.doc.toString()
  if (known.language !== 'json' || text.trim() === '') return []
  const fault = describeFault(text, known.filled)
  return fault ? [{ ...fault, severity: 'error' }] : fromFindings(state, known.findings)
}

function fromFindings(state: EditorState, findings: readonly Finding[]): Diagnostic[] {
  const tree = ensureSyntaxTree(state, state.doc.length, 100) ?? syntaxTree(state)
  const slice = (from: number, to: number): string => state.sliceDoc(from, to)
  return findings.flatMap((finding) => {
    const place = placeInTree(tree, slice, finding.location)
    if (!place) return []
    return [
      {
        ...place,
        severity: finding.severity,
        message: describeFinding(finding),
        source: escapeControls(finding.location),
      },
    ]
  })
}

function describeFinding({ message, expected, actual }: Finding): string {
  const more = [
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(actual === undefined ? [] : [`found ${actual}`]),
  ]
  return escapeControls(more.length === 0 ? message : `${message} (${more.join(', ')})`)
}

/** Maximum milliseconds to parse the text. After that, the partial syntax tree is used. */
const parseTimeout = 50

function bodyCompletions(
  brand: () => string,
): (context: CompletionContext) => CompletionResult | null {
  return ({ state, pos, explicit }) => {
    const tree = ensureSyntaxTree(state, pos, parseTimeout) ?? syntaxTree(state)
    const found = offersAt(tree, (from, to) => state.sliceDoc(from, to), pos, brand())
    if (!found) return null
    const begun = state.sliceDoc(found.from, pos)
    // Without an explicit request, only complete a started word: otherwise Enter would accept a completion instead of adding a line.
    const ended = begun.length > 1 && begun.endsWith('"')
    if (!explicit && (begun === '' || ended)) return null
    // After the closing quote there is nothing to filter by: offer all values.
    const from = ended ? pos : found.from + (begun.startsWith('"') ? 1 : 0)
    const around = { before: from - found.from, behind: found.to - pos }
    return {
      from,
      options: found.offers.map((offer, index) => optionOf(offer, around, index)),
      ...(ended ? { filter: false } : { validFor: /^[\w{}:]*$/ }),
    }
  }
}

type Around = Readonly<Record<'before' | 'behind', number>>

function optionOf(offer: Offer, around: Around, index: number): Completion {
  return {
    label: offer.label,
    detail: offer.detail,
    ...(offer.info === '' ? {} : { info: offer.info }),
    type: offer.kind,
    boost: -index,
    apply: (view, _, from, to) => applyOffer(view, offer, from - around.before, to + around.behind),
  }
}

function applyOffer(view: EditorView, offer: Offer, from: number, to: number): void {
  view.dispatch({
    changes: { from, to, insert: offer.text },
    selection: { anchor: from + (offer.at ?? offer.text.length) },
    userEvent: 'input.complete',
    scrollIntoView: true,
  })
  if (offer.kind === 'key' && offer.text.endsWith('""')) startCompletion(view)
}

/** JSON with checks and completions, plain text, or bytes as hex pairs, which cannot be edited. */
export type Language = 'json' | 'text' | 'hex'

interface WritableOptions {
  readonly text: string
  readonly language: Language
  readonly label: string
  /** Whether the text is short enough to be checked while typing. */
  readonly checked: boolean
  readonly brand: () => string
  readonly onChange: (text: string) => void
}

/** The line separator preserves the original line endings. */
export function writable(options: WritableOptions): Extension[] {
  const { text, language, label, checked, brand, onChange } = options
  const plain = language !== 'json' || !checked
  return [
    EditorState.lineSeparator.of(separatorOf(lineEndsOf(text))),
    viewing,
    ...(plain ? [] : [json(), folding]),
    editing(label, onChange),
    EditorState.readOnly.of(language === 'hex'),
    EditorView.clipboardInputFilter.of((pasted, state) =>
      withLineEnds(pasted, state.lineBreak === '\r\n' ? '\r\n' : '\n'),
    ),
    ...(checked ? [lintGutter({ hoverTime: 150 })] : []),
    ...(plain
      ? []
      : [
          code,
          autocompletion({ override: [bodyCompletions(brand)], icons: false, aboveCursor: false }),
        ]),
  ]
}
