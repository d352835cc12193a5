import { EventEmitter } from 'node:events'
import { assertReady, PreventableEvent } from './app.ts'
import { onAction } from './actions.ts'

let newest: Notification | undefined

/** Reported on stderr for tests, which can simulate a click on the newest notification. */
export class Notification extends EventEmitter {
  readonly title: string
  readonly body: string

  static isSupported(): boolean {
    return process.env['DOUBLE_NOTIFICATIONS'] !== 'none'
  }

  constructor({ title = '', body = '' }: { title?: string; body?: string } = {}) {
    super()
    assertReady('Cannot create Notification')
    this.title = title
    this.body = body
  }

  show(): void {
    if (!Notification.isSupported()) throw new Error('Shown where nothing can be shown')
    // oxlint-disable-next-line typescript/no-this-alias -- the newest notification
    newest = this
    process.stderr.write(`[notification] ${this.title}: ${this.body}\n`)
    this.emit('show', new PreventableEvent())
  }

  close(): void {
    this.emit('close', new PreventableEvent())
  }
}

onAction('notification', ({ event }) => void newest?.emit(String(event), new PreventableEvent()))
