import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from '@codemirror/autocomplete'
import { json } from '@codemirror/lang-json'
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import { lintGutter } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { code, editing, folding, viewing } from '#kit/editor/setup.ts'
import { lineEndsOf, separatorOf, withLineEnds } from '../body/body-modes.ts'
import { type Offer, offersAt } from './json-completions.ts'

/** Maximum milliseconds to parse the text. After that, the partial syntax tree is used. */
const parseTimeout = 50

/** Completions from the API documentation at the cursor. `brand` is read at each call. */
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

/** The number of characters to replace on both sides of the searched text. */
interface Around {
  readonly before: number
  readonly behind: number
}

function optionOf(offer: Offer, { before, behind }: Around, index: number): Completion {
  return {
    label: offer.label,
    detail: offer.detail,
    ...(offer.info === '' ? {} : { info: offer.info }),
    type: offer.kind,
    // In documented order.
    boost: -index,
    apply: (view, _, from, to) => applyOffer(view, offer, from - before, to + behind),
  }
}

function applyOffer(view: EditorView, offer: Offer, from: number, to: number): void {
  view.dispatch({
    changes: { from, to, insert: offer.text },
    selection: { anchor: from + (offer.at ?? offer.text.length) },
    userEvent: 'input.complete',
    scrollIntoView: true,
  })
  // Offer the values of a new string property.
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
