import { once, type EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connectApi, serveApi, type ThreadApi } from '#engine/platform/rpc.ts'
import type { AuthorizationWindow } from '#engine/platform/ports.ts'
import {
  createRemoteSecrets,
  createRemoteWindow,
} from '#hosts/electron/engine-process/remote-ports.ts'
import {
  rpcPort,
  type EngineApi,
  type EngineInit,
  type MainApi,
} from '#hosts/electron/engine/messages.ts'
import { startEngine, type EngineHostOptions } from '#hosts/electron/engine/host.ts'
import {
  EngineRun,
  logLines,
  type EngineRunEvents,
  type EngineServices,
} from '#hosts/electron/engine/run.ts'
import type { MessagePortMain, PortMessage } from '#test/support/electron-double/ports.ts'
import { partialDouble } from '#test/support/partial-double.ts'
import { until } from '#test/support/until.ts'

type Listener = Parameters<AuthorizationWindow['open']>[1]

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
  const late: string[] = []
  const windows: { request: unknown; on: Listener; closed: number }[] = []
  const keyring = Promise.withResolvers<{ secure: boolean; notice: null }>()
  const selected = Promise.withResolvers<string | null>()
  const run = new EngineRun(
    '/entry.js',
    partialDouble<EngineInit>({ dataDir: '/data' }),
    partialDouble<EngineServices>({
      secrets: {
        protection: keyring.promise,
        seal: async (clear: string) => Buffer.from(`sealed ${clear}`),
      },
      log: { info: () => undefined, warn: () => undefined, error: () => '' },
      authorizationWindow: {
        open(request: unknown, on: Listener) {
          const window = { request, on, closed: 0 }
          windows.push(window)
          return { close: () => void (window.closed += 1) }
        },
      },
      dialogs: { open: () => selected.promise },
      showLogs: () => {
        throw new Error('There is no log file.')
      },
    }),
    partialDouble<EngineRunEvents>({
      died: (code: number) => died.push(code),
      chosenLate: (path: string) => late.push(path),
    }),
  )
  const [child] = electron.children
  const first = child?.posted[0]
  const control = first?.ports[0]
  if (child === undefined || control === undefined) throw new Error('nothing was posted')
  const received: PortMessage[] = []
  control.on('message', (message: PortMessage) => received.push(message))
  const port = rpcPort(control)
  serveApi(port, api)
  const main = connectApi<MainApi>(port)
  control.start()
  return { run, child, first, control, received, main, died, late, windows, keyring, selected }
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

  it('gets everything but the first message over a port, with ports for pages', async () => {
    const calls: string[] = []
    const { run, child, first, received } = start({ woke: () => calls.push('woke') })
    expect(first?.data).toEqual({ dataDir: '/data' })
    run.notify('woke')
    const page = run.openPort()
    await until('both messages', () => received.length === 2)
    expect(calls).toEqual(['woke'])
    expect(child.posted).toHaveLength(1)

    const heard: unknown[] = []
    const [port] = received[1]?.ports ?? []
    port?.on('message', ({ data }: PortMessage) => heard.push(data))
    port?.start()
    page.postMessage('hello')
    await until('the message of the page', () => heard.length === 1)
    expect(heard).toEqual(['hello'])
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

describe('event logs that were passed to the app', () => {
  it('are sent again to a restarted engine, unless it ended while importing them', async () => {
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
})

describe('a file that the user selects', () => {
  it('is passed to the engine that asked for it', async () => {
    const { main, selected } = start()
    const path = main.call('chooseOpenPath')
    selected.resolve('/a.tabscope')
    expect(await path).toBe('/a.tabscope')
  })

  it('is imported by the next engine if the one that asked for it has ended', async () => {
    const { child, main, selected, late } = start()
    const ended = main.call('chooseOpenPath').catch(() => null)
    await setImmediate()
    await setImmediate()
    child.emit('exit', 1)
    selected.resolve('/a.tabscope')
    await until('the path', () => late.length === 1)
    expect(late).toEqual(['/a.tabscope'])
    await ended
  })
})

describe('secrets in the engine process', () => {
  it('are refused, not queued, until the keyring has responded', async () => {
    const secrets = createRemoteSecrets(start().main)
    await expect(secrets.seal('a')).rejects.toThrow("The system's keyring is locked.")
    await expect(secrets.unseal(new Uint8Array(1))).rejects.toMatchObject({
      code: 'secret_unavailable',
    })
  })

  it('are passed to main after that', async () => {
    const unlocked: unknown[] = []
    const { main, keyring } = start({
      unlockSecrets: (isSecure: boolean) => {
        unlocked.push(isSecure)
        secrets.unlock()
      },
    })
    const secrets = createRemoteSecrets(main)
    keyring.resolve({ secure: true, notice: null })
    await secrets.unlocked
    expect(unlocked).toEqual([true])
    expect(Buffer.from(await secrets.seal('a')).toString()).toBe('sealed a')
  })
})

describe('the authorization window, from the engine to main and back', () => {
  const request = { url: 'https://a.invalid/', redirectUrl: 'https://x.invalid/', state: 's' }

  function join() {
    const started = start({
      windowEvent: ({ id, event }: Parameters<EngineApi['windowEvent']>[0]) =>
        remote.receive(id, event),
    })
    const remote = createRemoteWindow(started.main)
    async function open() {
      const events: string[] = []
      const count = started.windows.length + 1
      const handle = remote.open(request, {
        hop: (url) => void events.push(`hop ${url}`),
        returned: (url) => void events.push(`returned ${url}`),
        closed: () => void events.push('closed'),
        failed: (message) => void events.push(`failed ${message}`),
      })
      const shown = await until('the window', () => started.windows[count - 1])
      return { events, handle, shown }
    }
    return { ...started, open }
  }

  it('is opened as requested, and reports everything until the redirect', async () => {
    const { shown, events } = await join().open()
    expect(shown.request).toEqual(request)
    shown.on.hop('https://a.invalid/')
    shown.on.failed('No page.')
    shown.on.returned('https://x.invalid/?code=1')
    shown.on.hop('https://late.invalid/')
    await until('the redirect', () => events.length === 3)
    expect(events).toEqual([
      'hop https://a.invalid/',
      'failed No page.',
      'returned https://x.invalid/?code=1',
    ])
  })

  it('is closed once, and reports nothing after that', async () => {
    const { main, open } = join()
    const { handle, shown, events } = await open()
    handle.close()
    handle.close()
    await until('the end', () => shown.closed === 1)
    shown.on.closed()
    // The event above precedes this response.
    await main.call('closeWindow', 1)
    expect(shown.closed).toBe(1)
    expect(events).toEqual([])
  })

  it('reports each run separately', async () => {
    const { open } = join()
    const first = await open()
    const second = await open()
    first.shown.on.closed()
    second.shown.on.hop('https://b.invalid/')
    await until('both events', () => second.events.length === 1)
    expect([first.events, second.events]).toEqual([['closed'], ['hop https://b.invalid/']])
  })
})

describe('the output of an engine process that ends', () => {
  it('is logged when Electron has removed the listeners of the stream at its exit', async () => {
    const warned: string[] = []
    const log = {
      info: () => undefined,
      warn: (text: string) => warned.push(text),
      error: () => '',
    }
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
    const warned: string[] = []
    const log = {
      info: () => undefined,
      warn: (text: string) => warned.push(text),
      error: () => '',
    }
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
