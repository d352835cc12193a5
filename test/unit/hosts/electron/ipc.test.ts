import type { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { CommandsBound } from '#contract/host.ts'
import { commandsBound, portWanted } from '#contract/host-messages.ts'
import { APP_URL } from '#hosts/electron/app-url.ts'
import { openIpc } from '#hosts/electron/ipc.ts'
import { createIpcEvent } from '#test/support/electron-double/ipc.ts'
import { randomJson, seeded } from '#test/support/random-json.ts'

const electron = await vi.hoisted(async () => {
  const events = await import('node:events')
  const ipcMain: EventEmitter = new events.EventEmitter()
  return { ipcMain }
})
vi.mock('electron', () => electron)

/** The WebContents of the interface window. */
const OURS = { of: 'the interface' }
const MAIN_FRAME = { url: APP_URL, parent: null, detached: false }
/** As in Electron, after its page is gone. */
const DISPOSED = new Proxy(MAIN_FRAME, {
  get: (_frame, name): never => {
    throw new Error(`Render frame was disposed before ${String(name)} could be accessed`)
  },
})
const BOUND = { kind: commandsBound, names: ['delivery.resend'] }

let received: unknown[]
let logged: string[]
beforeEach(() => {
  received = []
  logged = []
  electron.ipcMain.removeAllListeners()
  const warn = (message: string): void => void logged.push(message)
  const ipc = openIpc((contents) => Object.is(contents, OURS), {
    info: warn,
    warn,
    error: (message) => {
      warn(message)
      return message
    },
  })
  ipc.on(portWanted, z.undefined(), (_nothing, frame) => received.push(frame))
  ipc.on(commandsBound, CommandsBound, ({ names }) => received.push(names))
})

interface From {
  sender?: object
  senderFrame?: unknown
}
const event = ({ sender = OURS, senderFrame = MAIN_FRAME }: From = {}): object =>
  createIpcEvent(sender, () => senderFrame)
const send = (channel: string, from: object, ...args: unknown[]): void =>
  void electron.ipcMain.emit(channel, from, ...args)

describe('a message to main', () => {
  it('is accepted from the main frame of the interface, after parsing', () => {
    send(portWanted, event())
    send(portWanted, event(), undefined)
    send(commandsBound, event(), { ...BOUND, beside: 1 })
    expect(received).toEqual([MAIN_FRAME, MAIN_FRAME, ['delivery.resend']])
    expect(logged).toEqual([])
  })

  it.each([
    ['a frame within the page', { senderFrame: { url: APP_URL, parent: MAIN_FRAME } }],
    ['a web page', { senderFrame: { url: 'https://example.com/', parent: null } }],
    ['a similar host', { senderFrame: { url: 'app://tabscope.example/', parent: null } }],
    ['a file', { senderFrame: { url: 'file:///index.html', parent: null } }],
    ['a page without an address', { senderFrame: { url: '', parent: null } }],
    ['a page that is gone', { senderFrame: null }],
    ['a page that is disposed', { senderFrame: DISPOSED }],
    ['a page that is closing', { senderFrame: { ...MAIN_FRAME, detached: true } }],
    ['another window with the app URL', { sender: { of: 'another window' } }],
    ['a page of an authorization', { sender: { of: 'an authorization', session: {} } }],
  ])('is dropped from %s', (_name, from) => {
    send(portWanted, event(from))
    send(commandsBound, event(from), BOUND)
    expect(received).toEqual([])
    expect(logged).toHaveLength(2)
    expect(logged[0]).toBe(
      `Dropped a message on ${portWanted}: its sender is not the interface window.`,
    )
  })

  it('does not access a foreign page, which may be gone', () => {
    const gone = {
      get parent(): never {
        throw new TypeError('Object has been destroyed')
      },
    }
    send(portWanted, event({ sender: {}, senderFrame: gone }))
    send(portWanted, createIpcEvent({}))
    expect(received).toEqual([])
    expect(logged).toHaveLength(2)
  })

  it('is dropped from a frame that is already gone', () => {
    send(portWanted, createIpcEvent(OURS))
    expect(received).toEqual([])
    expect(logged).toHaveLength(1)
  })

  it.each([
    ['another shape', [{ kind: commandsBound }]],
    ['nothing', []],
    ['a second argument', [BOUND, BOUND]],
    ['too many names', [{ ...BOUND, names: Array.from({ length: 501 }, () => 'a') }]],
    ['an endless name', [{ ...BOUND, names: ['a'.repeat(101)] }]],
  ])('is dropped with %s', (_name, args) => {
    send(commandsBound, event(), ...args)
    expect(received).toEqual([])
    expect(logged).toEqual([`Dropped a message on ${commandsBound}: it is invalid.`])
  })

  it('is dropped with ports, and a port request with any argument', () => {
    send(commandsBound, Object.assign(event(), { ports: [{}] }), BOUND)
    for (const beside of [null, 0, '', {}, []]) send(portWanted, event(), beside)
    expect(received).toEqual([])
  })

  it('is dropped whatever it contains, and logged at most twenty times', () => {
    const random = seeded(8)
    for (let i = 0; i < 300; i += 1) send(commandsBound, event(), randomJson(random))
    expect(received).toEqual([])
    expect(logged).toHaveLength(20)
    expect(logged.at(-1)).toBe('Further dropped messages from pages are not logged.')
    send(commandsBound, event(), BOUND)
    expect(received).toEqual([BOUND.names])
  })
})
