import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Uses the CSS variables of the theme, which are inherited into the shadow root and follow light and dark mode. */
const highlightColors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--ink)', fontWeight: '550' },
  { tag: tags.string, color: 'var(--valid)' },
  { tag: tags.number, color: 'var(--info)' },
  { tag: tags.bool, color: 'var(--accent)' },
  { tag: tags.null, color: 'var(--accent)', fontStyle: 'italic' },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: 'var(--ink-2)' },
  { tag: tags.invalid, color: 'var(--invalid)' },
])

const editorStyles = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'transparent', fontSize: 'var(--text-s)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    fontVariantLigatures: 'none',
    lineHeight: '1.65',
  },
  '.cm-content': { padding: '6px 0', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeft: '2px solid var(--accent)', marginLeft: '-1px' },
  // The reduced-motion styles of the page do not apply inside a shadow root.
  '@media (prefers-reduced-motion: reduce)': {
    '.cm-cursorLayer': { animation: 'none !important' },
  },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--ink-3)',
    border: '0',
    userSelect: 'none',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '26px', padding: '0 2px 0 6px' },
  '.cm-foldGutter .cm-gutterElement': { width: '15px', textAlign: 'center' },
  '.cm-fold-mark': {
    display: 'inline-block',
    width: '6px',
    height: '6px',
    border: 'solid var(--ink-3)',
    borderWidth: '0 1.5px 1.5px 0',
    cursor: 'pointer',
  },
  '.cm-fold-open': { rotate: '45deg', translate: '0 -2px' },
  '.cm-fold-closed': { rotate: '-45deg' },
  '.cm-gutter-lint': { width: '12px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--ink) 4%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { background: 'light-dark(#f6d3b0, #5e3814)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--accent)',
    borderRadius: '2px',
  },
  '&.cm-focused .cm-nonmatchingBracket': {
    backgroundColor: 'var(--invalid-soft)',
    color: 'var(--invalid)',
  },
  '.cm-foldPlaceholder': {
    margin: '0 4px',
    padding: '0 6px',
    border: '1px solid var(--line-strong)',
    borderRadius: '8px',
    backgroundColor: 'var(--sunken)',
    color: 'var(--ink-2)',
  },
  '.cm-specialChar': {
    color: 'var(--warning)',
    backgroundColor: 'var(--warning-soft)',
    borderRadius: '3px',
  },
  '.cm-searchMatch': { backgroundColor: 'light-dark(#ffe2a8, #5a3f07)', borderRadius: '2px' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--accent)', color: 'var(--accent-ink)' },
  '.cm-searchMatch-selected span': { color: 'inherit' },
})

const popUpStyles = EditorView.theme({
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow-l)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    maxHeight: '240px',
    padding: '4px',
    fontFamily: 'var(--font-mono)',
    fontSize: 'var(--text-s)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    padding: '3px 8px',
    borderRadius: 'var(--radius-s)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--select)',
    boxShadow: 'inset 2px 0 var(--accent)',
    color: 'var(--ink)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionDetail': {
    marginLeft: '12px',
    color: 'var(--ink-3)',
    fontStyle: 'normal',
    fontFamily: 'var(--font-ui)',
  },
  '.cm-tooltip.cm-completionInfo': {
    maxWidth: '300px',
    padding: '8px 10px',
    overflow: 'visible',
    fontFamily: 'var(--font-ui)',
    fontSize: 'var(--text-s)',
    color: 'var(--ink-2)',
  },
  '.cm-tooltip-lint': {
    maxWidth: '420px',
    fontFamily: 'var(--font-ui)',
    fontSize: 'var(--text-s)',
  },
  '.cm-diagnostic': { padding: '6px 10px', marginLeft: '0' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--invalid)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warning)' },
  '.cm-diagnostic-info': { borderLeft: '3px solid var(--info)' },
  '.cm-diagnosticSource': { color: 'var(--ink-3)', opacity: '1', fontSize: 'var(--text-xs)' },
  '.cm-panels': {
    backgroundColor: 'var(--bg)',
    color: 'var(--ink)',
    borderColor: 'var(--line)',
    fontFamily: 'var(--font-ui)',
    zIndex: '4',
  },
  '.cm-panel.cm-search': { padding: '6px 28px 6px 8px', fontSize: 'var(--text-s)' },
  '.cm-panel.cm-search label': { fontSize: 'var(--text-s)', color: 'var(--ink-2)' },
  '.cm-panel.cm-search [name=close]': { top: '6px', right: '8px', color: 'var(--ink-2)' },
  '.cm-textfield, .cm-button': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-s)',
    color: 'var(--ink)',
    fontSize: 'var(--text-s)',
  },
  '.cm-textfield': { backgroundColor: 'var(--surface)' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--raised)' },
})

/** In place of the image of CodeMirror's own theme. */
const wavyUnderline = (colour: string): Readonly<Record<string, string>> => ({
  backgroundImage: 'none',
  textDecoration: `underline wavy 1.2px color-mix(in srgb, ${colour} 85%, transparent)`,
})

const markStyles = EditorView.theme({
  '.cm-lintRange': { paddingBottom: '0', textUnderlineOffset: '3px' },
  '.cm-lintRange-error': wavyUnderline('var(--invalid)'),
  '.cm-lintRange-warning': wavyUnderline('var(--warning)'),
  '.cm-lintRange-info': wavyUnderline('var(--info)'),
  '.cm-lintRange-active': { backgroundColor: 'var(--warning-soft)' },
  '.cm-lint-marker': { width: '9px', height: '9px', margin: '5px 0 0 2px', content: 'none' },
  '.cm-lint-marker-error': { backgroundColor: 'var(--invalid)', borderRadius: '50%' },
  '.cm-lint-marker-warning': {
    backgroundColor: 'var(--warning)',
    clipPath: 'polygon(50% 0, 100% 100%, 0 100%)',
  },
  '.cm-lint-marker-info': { backgroundColor: 'var(--info)' },
  '.cm-changedLine': { backgroundColor: 'var(--valid-soft)' },
  '.cm-deletedChunk': { backgroundColor: 'var(--invalid-soft)' },
  '.cm-deletedChunk .cm-deletedText': {
    textDecoration: 'line-through',
    background: 'color-mix(in srgb, var(--invalid) 24%, transparent)',
  },
  '.cm-changedText': {
    background: 'color-mix(in srgb, var(--valid) 24%, transparent)',
  },
  '.cm-changeGutter': { width: '3px', paddingLeft: '1px' },
  '.cm-deletedLineGutter': { background: 'var(--invalid)' },
  '.cm-changedLineGutter': { background: 'var(--valid)' },
  '.cm-collapsedLines': {
    background: 'var(--sunken)',
    color: 'var(--ink-2)',
    padding: '2px 10px',
    fontFamily: 'var(--font-ui)',
  },
})

export const editorTheme: Extension = [
  editorStyles,
  popUpStyles,
  markStyles,
  syntaxHighlighting(highlightColors),
]

export const frameStyle = `
  :host { display: block; min-height: 0; overflow: hidden; }
  .frame { display: flex; flex-direction: column; height: 100%; overflow: auto; scrollbar-width: thin; scrollbar-color: var(--line-strong) transparent; }
  .frame > * { flex: 1 0 auto; min-width: 0; }
`
