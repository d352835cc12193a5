import { beforeEach, expect, it, vi } from 'vitest'
import { closeOnQuit } from '#hosts/electron/quitting.ts'

const app = await vi.hoisted(async () => {
  const { EventEmitter } = await import('node:events')
  return Object.assign(new EventEmitter(), { quit: (): void => undefined })
})
vi.mock('electron', () => ({ app }))

let closed: PromiseWithResolvers<void>
let done: string[]

function open() {
  return closeOnQuit(
    { close: () => closed.promise },
    { error: (message) => String(done.push(message)) },
  )
}

/** As Electron does after the last window has closed; a prevented quit is dropped. */
function willQuit(): void {
  const event = { prevented: false, preventDefault: () => void (event.prevented = true) }
  app.emit('will-quit', event)
  done.push(event.prevented ? 'prevented' : 'ended')
}

beforeEach(() => {
  app.removeAllListeners()
  closed = Promise.withResolvers()
  done = []
  vi.spyOn(app, 'quit').mockImplementation(willQuit)
})

it('closes the engine once, however often the app quits, and then ends', async () => {
  open()
  willQuit()
  willQuit()
  closed.resolve()
  await vi.waitFor(() => expect(done).toEqual(['prevented', 'prevented', 'ended']))
})

it('also ends if the engine was already closing before the quit', async () => {
  const closing = open().now()
  willQuit()
  closed.resolve()
  await closing
  await vi.waitFor(() => expect(done).toEqual(['prevented', 'ended']))
})

it('also ends if closing the engine fails', async () => {
  open()
  willQuit()
  closed.reject(new Error('no process'))
  await vi.waitFor(() =>
    expect(done).toEqual(['prevented', 'The engine could not be closed', 'ended']),
  )
})
