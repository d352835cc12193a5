import { EventEmitter } from 'node:events'
import { app, assertReady, PreventableEvent } from './app.ts'
import { onAction } from './actions.ts'

let newest: Notification | undefined
let hasPresenter = false

/** Created by the first use of the class, with its effects on the system: the ID that the app has then is final, and macOS asks the user. */
function presenter(): boolean {
  if (!hasPresenter) {
    hasPresenter = true
    app.isIdFinal = true
    process.stderr.write(`[notifications] presenter for ${app.userModelId}\n`)
  }
  return process.env['DOUBLE_NOTIFICATIONS'] !== 'none'
}

/** Reported on stderr for tests, which can simulate a click on the newest notification. With `DOUBLE_NOTIFICATIONS=fail` the system shows none. */
export class Notification extends EventEmitter {
  readonly title: string
  readonly body: string

  static isSupported(): boolean {
    return presenter()
  }

  constructor({ title = '', body = '' }: { title?: string; body?: string } = {}) {
    super()
    assertReady('Cannot create Notification')
    presenter()
    this.title = title
    this.body = body
  }

  /** The events come later, as on macOS and Windows. */
  show(): void {
    if (!presenter()) throw new Error('Shown where nothing can be shown')
    // oxlint-disable-next-line typescript/no-this-alias -- the newest notification
    newest = this
    setImmediate(() => {
      if (process.env['DOUBLE_NOTIFICATIONS'] === 'fail') {
        // Linux gives no reason.
        this.emit('failed', new PreventableEvent(), process.platform === 'linux' ? '' : 'Denied.')
        return
      }
      process.stderr.write(`[notification] ${this.title}: ${this.body}\n`)
      this.emit('show', new PreventableEvent())
    })
  }

  close(): void {
    this.emit('close', new PreventableEvent())
  }
}

onAction('notification', ({ event }) => void newest?.emit(String(event), new PreventableEvent()))
