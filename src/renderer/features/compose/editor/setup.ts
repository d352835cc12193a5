import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  type Completion,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
  startCompletion,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import {
  bracketMatching,
  codeFolding,
  ensureSyntaxTree,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxTree,
} from '@codemirror/language'
import { lintGutter, lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { lineEndsOf, separatorOf, withLineEnds } from '../body/body-modes.ts'
import { look } from './theme.ts'
import { type Offer, offersAt } from './json-completions.ts'

/** Milliseconds that reading the text may take before what is read so far has to do. */
const patience = 50

/** What the document knows of the place that is written at. `brand`: asked anew each time. */
function bodyCompletions(
  brand: () => string,
): (context: CompletionContext) => CompletionResult | null {
  return ({ state, pos, explicit }) => {
    const tree = ensureSyntaxTree(state, pos, patience) ?? syntaxTree(state)
    const found = offersAt(tree, (from, to) => state.sliceDoc(from, to), pos, brand())
    if (!found) return null
    const begun = state.sliceDoc(found.from, pos)
    // Unasked only within what is being written: else Enter would take an offer where a new line was meant.
    const ended = begun.length > 1 && begun.endsWith('"')
    if (!explicit && (begun === '' || ended)) return null
    // What is behind its end is not searched for: all is offered in its place.
    const from = ended ? pos : found.from + (begun.startsWith('"') ? 1 : 0)
    const around = { before: from - found.from, behind: found.to - pos }
    return {
      from,
      options: found.offers.map((offer, index) => optionOf(offer, around, index)),
      ...(ended ? { filter: false } : { validFor: /^[\w{}:]*$/ }),
    }
  }
}

/** Characters that belong to what is replaced, on both sides of what is searched for. */
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
    // In the order of the document.
    boost: -index,
    apply: (view, _, from, to) => take(view, offer, from - before, to + behind),
  }
}

function take(view: EditorView, offer: Offer, from: number, to: number): void {
  view.dispatch({
    changes: { from, to, insert: offer.text },
    selection: { anchor: from + (offer.at ?? offer.text.length) },
    userEvent: 'input.complete',
    scrollIntoView: true,
  })
  // Between the quotes of a new value there may be more to choose from.
  if (offer.kind === 'key' && offer.text.endsWith('""')) startCompletion(view)
}

/**
 * Typing over a selection, done here and not by the browser: it would carry the colours of what was selected over to what is typed, as an
 * inline style, which the content security policy refuses and the console then tells of.
 */
const typeOver: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state } = view
    const { main } = state.selection
    const { data } = event
    if (event.inputType !== 'insertText' || data === null || main.empty) return false
    if (event.isComposing || view.composing || state.readOnly) return false
    const insert = (): ReturnType<typeof state.update> =>
      state.update(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    // Brackets are still put around what is selected.
    const handled = state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, main.from, main.to, data, insert))
    if (!handled) view.dispatch(insert())
    return true
  },
})

/** What is written: JSON with all that is known of it, text as it is, or bytes as hex pairs. */
export type Language = 'json' | 'text' | 'hex'

/** Characters that would not show, beside those that the editor knows of itself: joiners, overrides, tags. */
const alsoHidden =
  /[\u{180e}\u{200c}-\u{200d}\u{202a}-\u{202c}\u{2060}-\u{2064}\u{2068}\u{206a}-\u{206f}\u{e0000}-\u{e007f}]/gu

/** What both sides of a comparison have. Lines are split so that they come together again as they were. */
function common(text: string, language: Language): Extension[] {
  return [
    EditorState.lineSeparator.of(separatorOf(lineEndsOf(text))),
    EditorState.tabSize.of(2),
    EditorView.lineWrapping,
    lineNumbers(),
    highlightSpecialChars({ addSpecialChars: alsoHidden }),
    ...(language === 'json'
      ? [json(), codeFolding({ placeholderText: '…' }), foldGutter(foldMarks)]
      : []),
    keymap.of([...searchKeymap, ...foldKeymap]),
    search({ top: true }),
    look,
  ]
}

/** Drawn and not written: the fonts that come along have no such sign. */
const foldMarks = {
  markerDOM(open: boolean): HTMLElement {
    const mark = document.createElement('span')
    mark.className = `cm-fold-mark cm-fold-${open ? 'open' : 'closed'}`
    mark.title = open ? 'Collapse' : 'Expand'
    return mark
  },
}

/** Nothing that sends: Ctrl+Enter belongs to the page. */
const keys = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter')

interface Written {
  readonly text: string
  readonly language: Language
  readonly label: string
  /** Whether it is short enough to be checked while it is written. */
  readonly checked: boolean
  readonly brand: () => string
  readonly onChange: (text: string) => void
}

/** What is written on. */
export function writable(options: Written): Extension[] {
  const { text, language, label, checked, brand, onChange } = options
  const plain = language !== 'json' || !checked
  return [
    ...common(text, plain && language === 'json' ? 'text' : language),
    history(),
    drawSelection(),
    typeOver,
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    keymap.of([
      ...closeBracketsKeymap,
      ...keys,
      ...historyKeymap,
      ...completionKeymap,
      ...lintKeymap,
    ]),
    EditorView.clipboardInputFilter.of((pasted, state) =>
      withLineEnds(pasted, state.lineBreak === '\r\n' ? '\r\n' : '\n'),
    ),
    EditorView.contentAttributes.of({
      'aria-label': label,
      spellcheck: 'false',
      autocapitalize: 'off',
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.sliceDoc())
    }),
    ...(checked ? [lintGutter({ hoverTime: 150 })] : []),
    ...(plain
      ? []
      : [
          bracketMatching(),
          closeBrackets(),
          indentOnInput(),
          autocompletion({ override: [bodyCompletions(brand)], icons: false, aboveCursor: false }),
        ]),
  ]
}

/** What is only read, beside it. */
export function readable(text: string, language: Language, label: string): Extension[] {
  return [
    ...common(text, language),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-readonly': 'true',
      tabindex: '0',
    }),
  ]
}
