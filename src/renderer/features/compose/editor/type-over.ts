import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/**
 * Typing over a selection, done here and not by the browser: it would carry the colours of what was selected over to what is typed, as an
 * inline style, which the content security policy refuses and the console then tells of.
 */
export const typeOver: Extension = EditorView.domEventHandlers({
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
