import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
} from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
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
import { editorTheme, frameStyle } from './theme.ts'

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

/** Invisible characters to show in addition to the editor's own set: joiners, overrides and tags. */
const alsoHidden =
  /[\u{180e}\u{200c}-\u{200d}\u{202a}-\u{202c}\u{2060}-\u{2064}\u{2068}\u{206a}-\u{206f}\u{e0000}-\u{e007f}]/gu

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

export const viewing: Extension = [
  EditorState.tabSize.of(2),
  EditorView.lineWrapping,
  lineNumbers(),
  highlightSpecialChars({ addSpecialChars: alsoHidden }),
  keymap.of([...searchKeymap, ...foldKeymap]),
  search({ top: true }),
  editorTheme,
]

export const folding: Extension = [codeFolding({ placeholderText: '…' }), foldGutter(foldMarks)]

/** Extensions of a language with brackets. */
export const code: Extension = [bracketMatching(), closeBrackets(), indentOnInput()]

/** Extensions of every editor whose text can be changed. */
export function editing(label: string, onChange: (text: string) => void): Extension {
  return [
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
    EditorView.contentAttributes.of({
      'aria-label': label,
      spellcheck: 'false',
      autocapitalize: 'off',
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.sliceDoc())
    }),
  ]
}

const frames = new WeakMap<ShadowRoot, HTMLElement>()

/** The scrolling element in the shadow root. */
export function frameIn(root: ShadowRoot): HTMLElement {
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
