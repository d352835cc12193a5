import type { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import {
  runEngine,
  type EngineRunEvents,
  type EngineInit,
  type EngineServices,
} from '#hosts/electron/engine/run.ts'
import type { MessagePortMain, PortMessage } from '#test/support/electron-double/ports.ts'
import { partialDouble } from '#test/support/partial-double.ts'
import { until } from '#test/support/until.ts'

interface Child extends EventEmitter {
  readonly options: { readonly stdio: readonly string[]; readonly env: NodeJS.ProcessEnv }
  readonly posted: { readonly data: unknown; readonly ports: readonly MessagePortMain[] }[]
  isAlive: boolean
}

/** A utility process as main sees it, except in the time between its end and `exit`, when posting to it crashes main. */
const electron = await vi.hoisted(async () => {
  const events = await import('node:events')
  const { MessageChannelMain } = await import('#test/support/electron-double/ports.ts')
  const children: Child[] = []
  const fork = (_entry: string, _args: readonly string[], options: Child['options']): Child => {
    const posted: Child['posted'] = []
    const child = Object.assign(new events.EventEmitter(), {
      options,
      posted,
      isAlive: true,
      stderr: null,
      kill: () => true,
      postMessage(data: unknown, ports: readonly MessagePortMain[] = []): void {
        if (!child.isAlive) throw new Error('main has crashed')
        posted.push({ data, ports: ports.map((port) => port.successor()) })
      },
    })
    children.push(child)
    return child
  }
  return { children, MessageChannelMain, utilityProcess: { fork } }
})
vi.mock('electron', () => electron)

afterEach(() => {
  electron.children.splice(0)
  vi.unstubAllEnvs()
})

/** A run of the engine, and what its process receives. */
function start() {
  const died: number[] = []
  const closed: string[] = []
  const run = runEngine(
    '/entry.js',
    partialDouble<EngineInit>({ dataDir: '/data' }),
    partialDouble<EngineServices>({
      // The secret store never responds.
      secrets: { protection: new Promise(() => undefined) },
      log: { info: () => undefined, warn: () => undefined, error: () => '' },
      authorizationWindow: { open: () => ({ close: () => closed.push('window') }) },
    }),
    partialDouble<EngineRunEvents>({ died: (code: number) => died.push(code) }),
  )
  const [child] = electron.children
  const first = child?.posted[0]
  const control = first?.ports[0]
  if (child === undefined || control === undefined) throw new Error('nothing was posted')
  const received: PortMessage[] = []
  control.on('message', (message: PortMessage) => received.push(message))
  control.start()
  return { run, child, first, control, received, died, closed }
}

it('starts the process with valid options', () => {
  vi.stubEnv('ELECTRON_NO_ASAR', '1')
  vi.stubEnv('TABSCOPE_ELSE', '1')
  const { options } = start().child
  // On Windows, Electron ends main if one stream is piped and another inherited.
  expect(options.stdio).toEqual(['ignore', 'ignore', 'pipe'])
  expect(options.env).not.toHaveProperty('ELECTRON_NO_ASAR')
  expect(options.env).toHaveProperty('TABSCOPE_ELSE', '1')
})

it('sends all messages but the first over a port, with ports for pages', async () => {
  const { run, child, first, received } = start()
  expect(first?.data).toEqual({ kind: 'init', dataDir: '/data' })
  run.send({ kind: 'woke' })
  const page = run.openPort()
  await until('both messages', () => received.length === 2)
  expect(received.map(({ data }) => data)).toEqual([{ kind: 'woke' }, { kind: 'connect' }])
  expect(child.posted).toHaveLength(1)

  const heard: unknown[] = []
  const [port] = received[1]?.ports ?? []
  port?.on('message', ({ data }: PortMessage) => heard.push(data))
  port?.start()
  page.postMessage('hello')
  await until('the message of the page', () => heard.length === 1)
  expect(heard).toEqual(['hello'])
})

it('posts nothing to a process that is ending, and closes requested ports', async () => {
  const { run, child, control, died, closed } = start()
  child.emit('message', {
    kind: 'open-window',
    id: 1,
    url: 'https://example.com/',
    redirectUrl: 'https://example.com/back',
    state: 's',
  })
  // The process's ends of all ports close before `exit` is emitted.
  child.isAlive = false
  run.send({ kind: 'woke' })
  control.close()
  const isOver = async (): Promise<boolean> => {
    const closings: string[] = []
    const port = run.openPort()
    port.on('close', () => closings.push('closed'))
    port.start()
    await setImmediate()
    await setImmediate()
    return closings.length > 0
  }
  await until('a port to be closed at once', isOver)
  child.on('exit', () => run.send({ kind: 'woke' }))
  child.emit('exit', 11)
  expect(closed).toEqual(['window'])
  expect(died).toEqual([11])
  expect(child.posted).toHaveLength(1)
})
