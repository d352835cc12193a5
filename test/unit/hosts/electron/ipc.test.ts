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

/** The contents of the interface's window. */
const OURS = { of: 'the interface' }
const MAIN_FRAME = { url: APP_URL, parent: null, detached: false }
/** As Electron's, once its page is gone. */
const DISPOSED = new Proxy(MAIN_FRAME, {
  get: (_frame, name): never => {
    throw new Error(`Render frame was disposed before ${String(name)} could be accessed`)
  },
})
const BOUND = { kind: commandsBound, names: ['delivery.resend'] }

let taken: unknown[]
let told: string[]
beforeEach(() => {
  taken = []
  told = []
  electron.ipcMain.removeAllListeners()
  const tell = (message: string): void => void told.push(message)
  const ipc = openIpc((contents) => Object.is(contents, OURS), {
    info: tell,
    warn: tell,
    error: (message) => {
      tell(message)
      return message
    },
  })
  ipc.on(portWanted, z.undefined(), (_nothing, frame) => taken.push(frame))
  ipc.on(commandsBound, CommandsBound, ({ names }) => taken.push(names))
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
  it('is taken from the main frame of the interface, as it was parsed', () => {
    send(portWanted, event())
    send(portWanted, event(), undefined)
    send(commandsBound, event(), { ...BOUND, beside: 1 })
    expect(taken).toEqual([MAIN_FRAME, MAIN_FRAME, ['delivery.resend']])
    expect(told).toEqual([])
  })

  it.each([
    ['a frame within the page', { senderFrame: { url: APP_URL, parent: MAIN_FRAME } }],
    ['a page of the web', { senderFrame: { url: 'https://example.com/', parent: null } }],
    ['a host like ours', { senderFrame: { url: 'app://tabscope.example/', parent: null } }],
    ['a file', { senderFrame: { url: 'file:///index.html', parent: null } }],
    ['a page without an address', { senderFrame: { url: '', parent: null } }],
    ['a page that is gone', { senderFrame: null }],
    ['a page that is disposed', { senderFrame: DISPOSED }],
    ['a page as it goes', { senderFrame: { ...MAIN_FRAME, detached: true } }],
    ['another window at our address', { sender: { of: 'another window' } }],
    ['a page of an authorization', { sender: { of: 'an authorization', session: {} } }],
  ])('is dropped from %s', (_name, from) => {
    send(portWanted, event(from))
    send(commandsBound, event(from), BOUND)
    expect(taken).toEqual([])
    expect(told).toHaveLength(2)
    expect(told[0]).toBe(
      `A message on ${portWanted} came from a page that may not send it, and was dropped.`,
    )
  })

  it('asks nothing of a page that is not ours, and may be gone', () => {
    const gone = {
      get parent(): never {
        throw new TypeError('Object has been destroyed')
      },
    }
    send(portWanted, event({ sender: {}, senderFrame: gone }))
    send(portWanted, createIpcEvent({}))
    expect(taken).toEqual([])
    expect(told).toHaveLength(2)
  })

  it('is dropped from a frame that was gone when it came', () => {
    send(portWanted, createIpcEvent(OURS))
    expect(taken).toEqual([])
    expect(told).toHaveLength(1)
  })

  it.each([
    ['another shape', [{ kind: commandsBound }]],
    ['nothing', []],
    ['a second argument', [BOUND, BOUND]],
    ['too many names', [{ ...BOUND, names: Array.from({ length: 501 }, () => 'a') }]],
    ['a name without end', [{ ...BOUND, names: ['a'.repeat(101)] }]],
  ])('is dropped with %s', (_name, args) => {
    send(commandsBound, event(), ...args)
    expect(taken).toEqual([])
    expect(told).toEqual([`A message on ${commandsBound} was not understood, and was dropped.`])
  })

  it('is dropped with ports of its own, and a wish for a port with anything beside it', () => {
    send(commandsBound, Object.assign(event(), { ports: [{}] }), BOUND)
    for (const beside of [null, 0, '', {}, []]) send(portWanted, event(), beside)
    expect(taken).toEqual([])
  })

  it('is dropped whatever it contains, and reported twenty times at most', () => {
    const random = seeded(8)
    for (let i = 0; i < 300; i += 1) send(commandsBound, event(), randomJson(random))
    expect(taken).toEqual([])
    expect(told).toHaveLength(20)
    expect(told.at(-1)).toBe('More messages from pages are dropped than are reported.')
    send(commandsBound, event(), BOUND)
    expect(taken).toEqual([BOUND.names])
  })
})
