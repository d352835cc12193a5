import { EventEmitter } from 'node:events'
import { PreventableEvent } from './app.ts'
import { onAction } from './actions.ts'

/** At most one window has the focus; none while the user is in another application. */
let focused: FocusedWindow | undefined

/** Visibility and focus of a window, reported on stderr for tests. */
export class FocusedWindow extends EventEmitter {
  #visible = false

  show(): void {
    process.stderr.write('[window] shown\n')
    this.#visible = true
    this.focus()
    // Emitted each time, even if the window is already visible.
    this.emit('show')
  }

  isVisible(): boolean {
    return this.#visible
  }

  /** Does not focus a hidden window. */
  focus(): void {
    if (!this.#visible) return
    process.stderr.write('[window] focused\n')
    if (focused === this) return
    focused?.blur()
    // oxlint-disable-next-line typescript/no-this-alias -- shared by all windows
    focused = this
    this.emit('focus', new PreventableEvent())
  }

  blur(): void {
    if (focused !== this) return
    focused = undefined
    this.emit('blur', new PreventableEvent())
  }

  isFocused(): boolean {
    return focused === this
  }
}

onAction('blur', () => {
  focused?.blur()
  process.stderr.write('[window] left\n')
})
