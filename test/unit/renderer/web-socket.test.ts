import { createHmac } from 'node:crypto'
import { decode, encode } from '@msgpack/msgpack'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ClientFrame, HostFrame } from '#contract/host.ts'
import type { NoSession } from '#client/client.ts'
import { webSocketTransport } from '#client/transports/web-socket.ts'

class FakeSocket extends EventTarget {
  static readonly OPEN = 1
  static made: FakeSocket[] = []
  readyState = 0
  binaryType = 'blob'
  readonly sent: Uint8Array<ArrayBuffer>[] = []
  readonly address: string
  readonly protocols: readonly string[]

  constructor(address: URL, protocols: readonly string[]) {
    super()
    this.address = address.href
    this.protocols = protocols
    FakeSocket.made.push(this)
  }
  send(bytes: Uint8Array<ArrayBuffer>): void {
    this.sent.push(bytes)
  }
  close(): void {
    this.readyState = 3
    this.dispatchEvent(new Event('close'))
  }
  open(): void {
    this.readyState = FakeSocket.OPEN
    this.dispatchEvent(new Event('open'))
  }
  message(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

/** The channel of the tabs, in which messages are delivered immediately. */
class FakeChannel extends EventTarget {
  static open = new Set<FakeChannel>()
  constructor() {
    super()
    FakeChannel.open.add(this)
  }
  postMessage(data: unknown): void {
    for (const other of FakeChannel.open) {
      if (other !== this) other.dispatchEvent(new MessageEvent('message', { data }))
    }
  }
  close(): void {
    FakeChannel.open.delete(this)
  }
}

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')

/** A server with this token. Each `POST /session` takes the next of `exchanges`. */
function serve(token: string, exchanges: (Response | Error)[] = []) {
  const fetched = vi.fn<(url: URL, init: RequestInit) => Promise<Response>>()
  fetched.mockImplementation(async (url) => {
    if (url.pathname === '/session/proof') {
      const nonce = url.searchParams.get('nonce')
      return Response.json({ proof: hmac(token, `tabscope-server:${url.host}:${nonce}`) })
    }
    const next = exchanges.shift()
    if (!next || next instanceof Error) throw next ?? new Error('No exchange was expected.')
    return next
  })
  vi.stubGlobal('fetch', fetched)
  return fetched
}

/** Resolves once it is true. Timers are fake, and nothing of this waits for one. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve))
}

/** Resolves when the next socket has been opened. */
async function nextSocket(before = FakeSocket.made.length): Promise<FakeSocket> {
  await until(() => FakeSocket.made.length > before)
  return socket()
}

function fakePage(address: string, kept = new Map<string, string>()) {
  const url = new URL(address)
  const shown: string[] = []
  /** Other files of the worker may leave timers, which are fake here as well. */
  const timers = new Set<NodeJS.Timeout>()
  const page = {
    location: url,
    sessionStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    },
    history: {
      replaceState: (_state: unknown, _title: string, next: string) => void shown.push(next),
    },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    setTimeout: (run: (input: unknown) => void, ms: number, input: unknown) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        run(input)
      }, ms)
      timers.add(timer)
      return timer
    },
    clearTimeout: (timer: NodeJS.Timeout) => {
      timers.delete(timer)
      clearTimeout(timer)
    },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a fake has of a window only what the transport asks of it
  return { page: page as unknown as Window, shown, kept, timers }
}

function socket(): FakeSocket {
  const last = FakeSocket.made.at(-1)
  if (!last) throw new Error('No socket was opened.')
  return last
}

const ends: (() => void)[] = []

function start(address = 'http://127.0.0.1:7400/', kept?: Map<string, string>) {
  const { page, shown, kept: storage, timers } = fakePage(address, kept)
  const closed: (number | null)[] = []
  const noSession: NoSession[] = []
  const received: HostFrame[] = []
  let send: ((frame: ClientFrame) => void) | null = null
  const end = webSocketTransport(page)({
    opened: (given) => {
      send = given
    },
    received: (frame) => received.push(frame),
    closed: (retryIn) => closed.push(retryIn),
    noSession: (reason) => noSession.push(reason),
  })
  ends.push(end)
  const sending = (frame: ClientFrame): void => send?.(frame)
  return { shown, storage, timers, closed, noSession, received, end, send: sending }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('BroadcastChannel', FakeChannel)
  FakeSocket.made = []
  FakeChannel.open.clear()
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const page = 'http://127.0.0.1:7400/'

describe('the token', () => {
  it('is removed from the address bar, stored for the tab, and sent as a protocol', async () => {
    serve('ab12-_')
    const { shown, storage } = start(`${page}?a=1#token=ab12-_`)
    expect(shown).toEqual(['/?a=1'])
    expect([...storage.values()]).toEqual(['ab12-_'])
    expect((await nextSocket(0)).protocols).toEqual(['tabscope', 'token.ab12-_'])
    expect(socket().address).toBe('ws://127.0.0.1:7400/wire')
  })

  it('is never sent to a server that cannot prove to have it', async () => {
    const fetched = serve('another')
    const { noSession, timers } = start(`${page}#token=former`)
    await until(() => fetched.mock.calls.length === 1 && timers.size === 1)
    vi.advanceTimersByTime(500)
    await until(() => noSession.length > 0)
    expect(noSession).toEqual(['ended'])
    expect(FakeSocket.made).toEqual([])
    expect(JSON.stringify(fetched.mock.calls)).not.toContain('former')
    expect(timers.size).toBe(0)
  })

  it('is not sent to a server that is not Tabscope', async () => {
    vi.stubGlobal('fetch', async () => new Response('Not found', { status: 404 }))
    const { closed, noSession } = start(`${page}#token=kept`)
    await until(() => closed.length > 0)
    expect({ closed, noSession, made: FakeSocket.made }).toEqual({
      closed: [200],
      noSession: [],
      made: [],
    })
  })
})

describe('a page without a token', () => {
  it('reports when no other tab responds, and sends nothing', async () => {
    const fetched = serve('kept')
    const { noSession } = start()
    vi.advanceTimersByTime(499)
    expect(noSession).toEqual([])
    vi.advanceTimersByTime(1)
    await until(() => noSession.length > 0)
    expect(noSession).toEqual(['missing'])
    expect(fetched).not.toHaveBeenCalled()
  })

  it('gets nothing from a tab that is not connected', async () => {
    serve('kept')
    start(`${page}#token=kept`)
    ;(await nextSocket(0)).open()
    socket().close()
    const { noSession } = start()
    vi.advanceTimersByTime(500)
    await until(() => noSession.length > 0)
    expect(noSession).toEqual(['missing'])
  })

  it('connects once another tab does, also while it is still asking', async () => {
    serve('kept')
    const asking = start()
    vi.advanceTimersByTime(499)
    start(`${page}#token=kept`)
    ;(await nextSocket(0)).open()
    expect((await nextSocket(1)).protocols).toEqual(['tabscope', 'token.kept'])
    vi.advanceTimersByTime(500)
    expect(asking.noSession).toEqual([])
  })

  it('connects once another tab does, also after it has given up', async () => {
    serve('kept')
    const waiting = start()
    vi.advanceTimersByTime(500)
    await until(() => waiting.noSession.length > 0)
    start(`${page}#token=kept`)
    ;(await nextSocket(0)).open()
    expect((await nextSocket(1)).protocols).toEqual(['tabscope', 'token.kept'])
    expect([...waiting.storage.values()]).toEqual(['kept'])
  })
})

describe('a ticket', () => {
  it('that is refused does not affect a tab that has the token', async () => {
    serve('kept', [new Response('', { status: 401 })])
    const { storage } = start(`${page}#token=kept`)
    await nextSocket(0)
    const { noSession } = start(`${page}#ticket=used`, storage)
    expect((await nextSocket(1)).protocols).toEqual(['tabscope', 'token.kept'])
    expect(noSession).toEqual([])
  })

  it('is retried while nothing responds', async () => {
    serve('given', [new TypeError('no server'), Response.json({ token: 'given' })])
    const { closed } = start(`${page}#ticket=once`)
    await until(() => closed.length > 0)
    expect(closed).toEqual([200])
    vi.advanceTimersByTime(200)
    expect((await nextSocket(0)).protocols).toEqual(['tabscope', 'token.given'])
  })

  it('is discarded when the transport is closed', async () => {
    const answer = Promise.withResolvers<Response>()
    const fetched = vi.fn<typeof fetch>(() => answer.promise)
    vi.stubGlobal('fetch', fetched)
    const { end, closed, storage } = start(`${page}#ticket=once`)
    end()
    const response = Response.json({ token: 'given' })
    answer.resolve(response)
    await until(() => response.bodyUsed)
    await new Promise((resolve) => setImmediate(resolve))
    expect({ closed, made: FakeSocket.made, calls: fetched.mock.calls.length }).toEqual({
      closed: [],
      made: [],
      calls: 1,
    })
    expect([...storage.values()]).toEqual([])
  })
})

describe('the connection', () => {
  it('is retried after 0.2 s, with growing delays up to 5 s, and quickly again after it was open', async () => {
    serve('kept')
    const { closed, timers } = start(`${page}#token=kept`)
    await nextSocket(0)
    for (const delay of [200, 400, 800, 1600, 3200, 5000, 5000]) {
      const before = FakeSocket.made.length
      socket().close()
      expect(closed.at(-1)).toBe(delay)
      vi.advanceTimersByTime(delay - 1)
      expect(timers.size).toBe(1)
      vi.advanceTimersByTime(1)
      await nextSocket(before)
    }
    socket().open()
    socket().close()
    expect(closed.at(-1)).toBe(200)
  })

  it('sends frames as MessagePack, without undefined keys', async () => {
    serve('kept')
    const { send, received } = start(`${page}#token=kept`)
    ;(await nextSocket(0)).open()
    expect(socket().binaryType).toBe('arraybuffer')
    send({
      kind: 'call',
      id: 1,
      name: 'x',
      input: { a: 1, b: undefined, bytes: new Uint8Array(2) },
    })
    expect(decode(socket().sent[0] ?? [])).toEqual({
      kind: 'call',
      id: 1,
      name: 'x',
      input: { a: 1, bytes: new Uint8Array(2) },
    })
    const welcome = { kind: 'welcome', session: 's', seq: 1, reload: true, version: '1' } as const
    socket().message(encode(welcome).slice().buffer)
    socket().message(encode({ kind: 'noise' }).slice().buffer)
    socket().message('text')
    expect(received).toEqual([welcome])
  })

  it('sends nothing to a closing socket', async () => {
    serve('kept')
    const { send } = start(`${page}#token=kept`)
    ;(await nextSocket(0)).open()
    socket().readyState = 2
    send({ kind: 'hello', session: null, lastSeq: 0 })
    expect(socket().sent).toEqual([])
  })

  it('does not reconnect after it is closed, and reports nothing', async () => {
    serve('kept')
    const waiting = start(`${page}#token=kept`)
    ;(await nextSocket(0)).close()
    waiting.end()
    expect(waiting.timers.size).toBe(0)
    const open = start(`${page}#token=kept`)
    ;(await nextSocket(1)).open()
    open.end()
    expect(open.timers.size).toBe(0)
    expect(open.closed).toEqual([])
    expect(FakeSocket.made.length).toBe(2)
    expect(FakeChannel.open.size).toBe(0)
  })
})
