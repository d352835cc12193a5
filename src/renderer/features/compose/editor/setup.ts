import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
} from '@codemirror/language'
import { lintGutter, lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import type { Extension } from '@codemirror/state'
import { EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { lineEndsOf, separatorOf, withLineEnds } from '../body/line-ends.ts'
import { bodyCompletions } from './complete.ts'
import { look } from './theme.ts'
import { typeOver } from './type-over.ts'

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
    mark.title = open ? 'Fold' : 'Unfold'
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
