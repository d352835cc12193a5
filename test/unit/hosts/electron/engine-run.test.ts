import { once, type EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectApi, serveApi, type ThreadApi } from '#engine/platform/rpc.ts'
import { rpcPort, type EngineInit, type MainApi } from '#hosts/electron/engine/messages.ts'
import { startEngine, type EngineHostOptions } from '#hosts/electron/engine/host.ts'
import {
  EngineRun,
  logLines,
  type EngineRunEvents,
  type EngineServices,
} from '#hosts/electron/engine/run.ts'
import type { MessagePortMain } from '#test/support/electron-double/ports.ts'
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

/** A run of the engine, seen from main and from its process, which serves `api`. */
function start(api: ThreadApi = {}) {
  const died: number[] = []
  const windows: { closed: number }[] = []
  const run = new EngineRun(
    '/entry.js',
    partialDouble<EngineInit>({ dataDir: '/data' }),
    partialDouble<EngineServices>({
      secrets: { protection: new Promise(() => undefined) },
      log: { info: () => undefined, warn: () => undefined, error: () => '' },
      authorizationWindow: {
        open() {
          const window = { closed: 0 }
          windows.push(window)
          return { close: () => void (window.closed += 1) }
        },
      },
      showLogs: () => {
        throw new Error('There is no log file.')
      },
    }),
    partialDouble<EngineRunEvents>({ died: (code: number) => died.push(code) }),
  )
  const [child] = electron.children
  const control = child?.posted[0]?.ports[0]
  if (child === undefined || control === undefined) throw new Error('nothing was posted')
  const port = rpcPort(control)
  serveApi(port, api)
  const main = connectApi<MainApi>(port)
  control.start()
  return { run, child, control, main, died, windows }
}

describe('the engine process', () => {
  it('is started with valid options', () => {
    vi.stubEnv('ELECTRON_NO_ASAR', '1')
    vi.stubEnv('TABSCOPE_ELSE', '1')
    const { options } = start().child
    // On Windows, Electron ends main if one stream is piped and another inherited.
    expect(options.stdio).toEqual(['ignore', 'ignore', 'pipe'])
    expect(options.env).not.toHaveProperty('ELECTRON_NO_ASAR')
    expect(options.env).toHaveProperty('TABSCOPE_ELSE', '1')
  })

  it('gets nothing while it is ending, and requested ports are closed', async () => {
    const { run, child, control, main, windows, died } = start()
    await main.call('openWindow', { id: 1, url: 'https://a.invalid/', redirectUrl: '', state: '' })
    // The process's ends of all ports close before `exit` is emitted.
    child.isAlive = false
    run.notify('woke')
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
    child.on('exit', () => run.notify('woke'))
    child.emit('exit', 11)
    expect(windows[0]?.closed).toBe(1)
    expect(died).toEqual([11])
    expect(child.posted).toHaveLength(1)
  })

  it('is refused invalid input, and gets the sentence of a failure', async () => {
    const { main, windows } = start()
    const invalid = partialDouble<Parameters<MainApi['openWindow']>[0]>({ id: 'x' })
    await expect(main.call('openWindow', invalid)).rejects.toThrow('invalid_type')
    expect(windows).toEqual([])
    await expect(main.call('showLogs')).rejects.toMatchObject({
      code: 'bad_input',
      message: 'There is no log file.',
    })
  })
})

/** What the newest process is asked to import. If it `opens`, it says so. */
async function askedToImport(opens: boolean): Promise<unknown[]> {
  const calls: unknown[] = []
  const control = electron.children.at(-1)?.posted[0]?.ports[0]
  if (control === undefined) throw new Error('no process')
  serveApi(rpcPort(control), { importLogs: (paths: string[]) => calls.push(...paths) })
  const main = connectApi<MainApi>(rpcPort(control))
  control.start()
  if (opens) await main.call('opened')
  for (let turn = 0; turn < 5; turn += 1) await setImmediate()
  return calls
}

function restart(): void {
  electron.children.at(-1)?.emit('exit', 1)
  vi.runAllTimers()
}

it('event logs that were passed to the app are sent again to a restarted engine, unless it ended while importing them', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const logged: string[] = []
  const host = startEngine(
    partialDouble<EngineHostOptions>({
      init: () => ({}),
      secrets: { protection: new Promise(() => undefined) },
      log: {
        info: () => undefined,
        warn: () => undefined,
        error: (message: string) => logged.push(message),
      },
      started: () => undefined,
      ending: () => false,
    }),
  )
  host.importLogs(['/a'])
  expect(await askedToImport(false)).toEqual(['/a'])
  restart()
  expect(await askedToImport(true)).toEqual(['/a'])
  restart()
  expect(logged).toContain('The engine ended while importing /a. The file is skipped.')
  expect(await askedToImport(true)).toEqual([])
  vi.useRealTimers()
})

describe('the output of an engine process that ends', () => {
  let warned: string[]
  const log = { info: () => undefined, warn: (text: string) => warned.push(text), error: () => '' }
  beforeEach(() => void (warned = []))

  it('is logged when Electron has removed the listeners of the stream at its exit', async () => {
    const stream = new PassThrough()
    const lines = logLines(stream, log)
    stream.write('first\nFATAL ERROR: ')
    await until('the first line', () => warned.length === 1)
    stream.removeAllListeners()
    process.nextTick(() => {
      lines.listen()
      stream.end('out of memory')
    })
    await until('the last line', () => warned.length === 2)
    expect(warned[1]).toBe('The engine process wrote: FATAL ERROR: out of memory')
  })

  it('is logged line by line, within limits', async () => {
    logLines(null, log)
    const stream = new PassThrough()
    logLines(stream, log)
    stream.write('FATAL ERROR: out of ')
    stream.end(`memory\r\n\n  at a.js:1\n${'again\n'.repeat(1_000)}`)
    await until('the last line', () =>
      warned.includes('Further output of the process is not logged.'),
    )
    expect(warned.slice(0, 2)).toEqual([
      'The engine process wrote: FATAL ERROR: out of memory',
      'The engine process wrote:   at a.js:1',
    ])
    await once(stream, 'close')
    expect(warned.length).toBeLessThanOrEqual(201)
  })
})
