import { EventEmitter } from 'node:events'
import { PreventableEvent } from './app.ts'
import { onWish } from './wishes.ts'

/** At most one window has the focus; none while the user is in another program. */
let focused: FocusedWindow | undefined

/** Visibility and focus of a window, of which the test reads from stderr. */
export class FocusedWindow extends EventEmitter {
  #visible = false

  show(): void {
    process.stderr.write('[window] shown\n')
    this.#visible = true
    this.focus()
    // Each time, also when it is visible already.
    this.emit('show')
  }

  hide(): void {
    process.stderr.write('[window] hidden\n')
    this.#visible = false
    this.blur()
    this.emit('hide')
  }

  isVisible(): boolean {
    return this.#visible
  }

  /** A hidden window is not focused. */
  focus(): void {
    if (!this.#visible) return
    process.stderr.write('[window] focused\n')
    if (focused === this) return
    focused?.blur()
    // oxlint-disable-next-line typescript/no-this-alias -- one for all windows
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

/** The user goes to another program. */
onWish('blur', () => {
  focused?.blur()
  process.stderr.write('[window] left\n')
})
