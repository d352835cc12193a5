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
import { editorTheme } from './theme.ts'
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

/**
 * Replaces a selection while typing. The browser would copy the colors of the selected text as an inline style, which the content
 * security policy blocks with a console error.
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
    // Typing a bracket still wraps the selection.
    const handled = state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, main.from, main.to, data, insert))
    if (!handled) view.dispatch(insert())
    return true
  },
})

/** The edited language: JSON with checks and completions, plain text, or bytes as hex pairs. */
export type Language = 'json' | 'text' | 'hex'

/** Invisible characters to show in addition to the editor's own set: joiners, overrides and tags. */
const alsoHidden =
  /[\u{180e}\u{200c}-\u{200d}\u{202a}-\u{202c}\u{2060}-\u{2064}\u{2068}\u{206a}-\u{206f}\u{e0000}-\u{e007f}]/gu

/** Extensions of both sides of a comparison. The line separator preserves the original line endings. */
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
    editorTheme,
  ]
}

/** Drawn with CSS, since the bundled fonts have no such character. */
const foldMarks = {
  markerDOM(open: boolean): HTMLElement {
    const mark = document.createElement('span')
    mark.className = `cm-fold-mark cm-fold-${open ? 'open' : 'closed'}`
    mark.title = open ? 'Collapse' : 'Expand'
    return mark
  },
}

/** Without Ctrl+Enter, which sends the request. */
const keys = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter')

interface WritableOptions {
  readonly text: string
  readonly language: Language
  readonly label: string
  /** Whether the text is short enough to be checked while typing. */
  readonly checked: boolean
  readonly brand: () => string
  readonly onChange: (text: string) => void
}

/** Extensions of the editable side. */
export function writable(options: WritableOptions): Extension[] {
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

/** Extensions of the read-only side. */
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
