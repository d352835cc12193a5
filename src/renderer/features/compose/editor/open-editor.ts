import { historyField } from '@codemirror/commands'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { openSearchPanel } from '@codemirror/search'
import type { EditorState, Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { Finding } from '#contract/models.ts'
import { withLineEnds } from '../body/body-modes.ts'
import { type Language, readable, writable } from './setup.ts'
import { frameStyle } from './theme.ts'
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import { visible } from '../../../ui/text/visible.ts'
import { fromHex } from '../body/hex-text.ts'
import { describeFault } from './json-faults.ts'
import { placeInTree } from './json-place.ts'

/** How what came is shown with what is written: beside it, in it, or not at all. */
export type Layout = 'alone' | 'beside' | 'within'

interface Wish {
  /** Where the editor lies. In a shadow root its styles need no style element, which the content security policy would refuse. */
  readonly root: ShadowRoot
  readonly layout: Layout
  readonly text: string
  /** What came, written in the same language; null: nothing did. */
  readonly original: string | null
  readonly language: Language
  readonly checked: boolean
  readonly label: string
  readonly originalLabel: string
  readonly brand: () => string
  readonly onChange: (text: string) => void
  /** Of an editor that this one takes the place of: what could be undone in it still can. */
  readonly before: EditorState | null
}

export interface Editor {
  readonly state: () => EditorState
  /** Shows what there is to say of the text as it is now. */
  check(findings: readonly Finding[], filled: boolean): void
  /** Shows at once where the text does not read. What was found before moves along with the text until it is found anew. */
  checkReading(filled: boolean): void
  /** Puts another text in its place, as one step that can be undone. */
  replace(text: string): void
  focus(): void
  find(): void
  close(): void
}

const comparing = {
  highlightChanges: true,
  gutter: true,
  // Nothing may wait long for a comparison: behind this it is only less exact.
  diffConfig: { scanLimit: 500, timeout: 150 },
} as const

const frames = new WeakMap<ShadowRoot, HTMLElement>()

/** Opens an editor in a shadow root; one that was there must be closed before. */
export function openEditor(wish: Wish): Editor {
  const { root, layout, text, original, language, before } = wish
  const frame = frameIn(root)
  const extensions: Extension[] = [
    ...writable(wish),
    ...(before ? [historyField.init(() => before.field(historyField))] : []),
  ]
  const selection = before && before.sliceDoc() === text ? { selection: before.selection } : {}
  let close: () => void
  let view: EditorView
  if (layout === 'beside' && original !== null) {
    const merge = new MergeView({
      a: { doc: original, extensions: readable(original, language, wish.originalLabel) },
      b: { doc: text, extensions, ...selection },
      parent: frame,
      root,
      ...comparing,
    })
    view = merge.b
    close = () => merge.destroy()
  } else {
    const within =
      layout === 'within' && original !== null
        ? unifiedMergeView({ original, mergeControls: false, ...comparing })
        : []
    view = new EditorView({
      doc: text,
      extensions: [...extensions, within],
      parent: frame,
      root,
      ...selection,
    })
    close = () => view.destroy()
  }
  /** Whether what is shown is that the text does not read. */
  let broken = false
  return {
    state: () => view.state,
    check(findings, filled) {
      const found = diagnosticsOf(view.state, { language, findings, filled })
      view.dispatch(setDiagnostics(view.state, wish.checked ? found : []))
      broken = false
    },
    checkReading(filled) {
      const faults = wish.checked
        ? diagnosticsOf(view.state, { language, findings: [], filled })
        : []
      if (faults.length > 0 || broken) view.dispatch(setDiagnostics(view.state, faults))
      broken = faults.length > 0
    },
    replace(next) {
      const written = withLineEnds(next, view.state.lineBreak === '\r\n' ? '\r\n' : '\n')
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: written },
        userEvent: 'input',
      })
    },
    focus: () => view.focus(),
    find: () => openSearchPanel(view),
    close,
  }
}

/** The element in the shadow root that scrolls. */
function frameIn(root: ShadowRoot): HTMLElement {
  const known = frames.get(root)
  if (known) return known
  const style = new CSSStyleSheet()
  style.replaceSync(frameStyle)
  root.adoptedStyleSheets.push(style)
  const frame = document.createElement('div')
  frame.className = 'frame'
  root.append(frame)
  frames.set(root, frame)
  return frame
}

interface Known {
  readonly language: Language
  /** What Tabscope would find if the body arrived so. */
  readonly findings: readonly Finding[]
  /** Placeholders are filled in before it goes out. */
  readonly filled: boolean
}

/** What there is to say of a text, each at its place: where it is no JSON, and what departs from the service's document. */
function diagnosticsOf(state: EditorState, known: Known): Diagnostic[] {
  // Line ends count as one character in the editor, whatever they are.
  const text = state.doc.toString()
  switch (known.language) {
    case 'text':
      return []
    case 'hex': {
      const reading = fromHex(text)
      if (reading.ok) return []
      const { at, to, message } = reading
      return [{ from: at, to: Math.min(to, text.length), severity: 'error', message }]
    }
    case 'json': {
      if (text.trim() === '') return []
      const fault = describeFault(text, known.filled)
      if (fault) return [{ ...fault, severity: 'error' }]
      return fromFindings(state, known.findings)
    }
  }
}

function fromFindings(state: EditorState, findings: readonly Finding[]): Diagnostic[] {
  const tree = ensureSyntaxTree(state, state.doc.length, 100) ?? syntaxTree(state)
  const slice = (from: number, to: number): string => state.sliceDoc(from, to)
  return findings.flatMap((finding) => {
    const place = placeInTree(tree, slice, finding.place)
    if (!place) return []
    return [
      {
        ...place,
        severity: finding.severity,
        message: sentenceOf(finding),
        source: visible(finding.place),
      },
    ]
  })
}

function sentenceOf({ message, expected, actual }: Finding): string {
  const more = [
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(actual === undefined ? [] : [`here ${actual}`]),
  ]
  return visible(more.length === 0 ? message : `${message} (${more.join(', ')})`)
}
