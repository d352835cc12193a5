import { decode, encode } from '@msgpack/msgpack'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ClientFrame, HostFrame } from '#contract/host.ts'
import { webSocketTransport } from '#renderer/platform/transports/web-socket.ts'

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

function fakePage(address: string, kept = new Map<string, string>()) {
  const url = new URL(address)
  const shown: string[] = []
  const page = {
    location: url,
    sessionStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    },
    history: {
      replaceState: (_state: unknown, _title: string, next: string) => void shown.push(next),
    },
    setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
    clearTimeout: (timer: NodeJS.Timeout) => clearTimeout(timer),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a fake has of a window only what the transport asks of it
  return { page: page as unknown as Window, shown, kept }
}

/** The socket that was opened last. */
function socket(): FakeSocket {
  const last = FakeSocket.made.at(-1)
  if (!last) throw new Error('No socket was opened.')
  return last
}

/** A transport on a page, with all that it told. */
function start(address = 'http://127.0.0.1:7400/', kept?: Map<string, string>) {
  const { page, shown, kept: storage } = fakePage(address, kept)
  const closed: (number | null)[] = []
  const expired = vi.fn<() => void>()
  const received: HostFrame[] = []
  let send: ((frame: ClientFrame) => void) | null = null
  const end = webSocketTransport(page)({
    opened: (given) => {
      send = given
    },
    received: (frame) => received.push(frame),
    closed: (retryIn) => closed.push(retryIn),
    linkExpired: expired,
  })
  return { shown, storage, closed, expired, received, end, send: (f: ClientFrame) => send?.(f) }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeSocket)
  FakeSocket.made = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the token', () => {
  it('is taken out of the address bar, kept for the tab, and sent as a protocol', () => {
    const { shown, storage } = start('http://127.0.0.1:7400/?a=1#token=ab12-_')
    expect(shown).toEqual(['/?a=1'])
    expect([...storage.values()]).toEqual(['ab12-_'])
    expect(socket().protocols).toEqual(['tabscope', 'token.ab12-_'])
    expect(socket().address).toBe('ws://127.0.0.1:7400/wire')
  })

  it('is read from the tab when the address has none, and left out when there is none at all', () => {
    const { storage } = start('http://127.0.0.1:7400/#token=kept')
    const again = start('https://inspector.example/#/endpoints', storage)
    expect(socket().protocols).toEqual(['tabscope', 'token.kept'])
    expect(socket().address).toBe('wss://inspector.example/wire')
    expect(again.shown).toEqual([])
    start()
    expect(socket().protocols).toEqual(['tabscope'])
  })
})

/** What the server says to each request, in order. */
const answers = (...all: (Response | Error)[]) => {
  const fetched = vi.fn<typeof fetch>()
  for (const one of all) {
    if (one instanceof Error) fetched.mockRejectedValueOnce(one)
    else fetched.mockResolvedValueOnce(one)
  }
  vi.stubGlobal('fetch', fetched)
  return fetched
}
const settled = () => vi.advanceTimersByTimeAsync(0)

describe('a ticket', () => {
  it('is taken out of the address bar and exchanged for the token, which the tab keeps', async () => {
    const fetched = answers(Response.json({ token: 'given' }))
    const { shown, storage, expired } = start('http://127.0.0.1:7400/?a=1#ticket=once')
    expect(shown).toEqual(['/?a=1'])
    expect(FakeSocket.made).toEqual([])
    await settled()
    expect(fetched).toHaveBeenCalledExactlyOnceWith(
      new URL('http://127.0.0.1:7400/session'),
      expect.objectContaining({ method: 'POST', headers: { Authorization: 'Bearer once' } }),
    )
    expect([...storage.values()]).toEqual(['given'])
    expect(socket().protocols).toEqual(['tabscope', 'token.given'])
    expect(expired).not.toHaveBeenCalled()
  })

  it('that is refused is told, and not tried again', async () => {
    const fetched = answers(new Response('', { status: 401 }))
    const { closed, expired } = start('http://127.0.0.1:7400/#ticket=used')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(expired).toHaveBeenCalledOnce()
    expect({ closed, made: FakeSocket.made, calls: fetched.mock.calls.length }).toEqual({
      closed: [],
      made: [],
      calls: 1,
    })
  })

  it('that is refused does not matter to a tab that has the token', async () => {
    answers(new Response('', { status: 401 }))
    const { storage } = start('http://127.0.0.1:7400/#token=kept')
    const { expired } = start('http://127.0.0.1:7400/#ticket=used', storage)
    await settled()
    expect(socket().protocols).toEqual(['tabscope', 'token.kept'])
    expect(expired).not.toHaveBeenCalled()
  })

  it('is tried again while nobody answers', async () => {
    answers(new TypeError('no server'), Response.json({ token: 'given' }))
    const { closed } = start('http://127.0.0.1:7400/#ticket=once')
    await settled()
    expect(closed).toEqual([200])
    await vi.advanceTimersByTimeAsync(200)
    expect(socket().protocols).toEqual(['tabscope', 'token.given'])
  })

  it('is forgotten at the end', async () => {
    answers(Response.json({ token: 'given' }))
    const { end, closed } = start('http://127.0.0.1:7400/#ticket=once')
    end()
    await vi.advanceTimersByTimeAsync(60_000)
    expect({ closed, made: FakeSocket.made }).toEqual({ closed: [], made: [] })
  })
})

describe('the way', () => {
  it('is tried again after 0.2 s, then ever later up to 5 s, and soon again once it was open', () => {
    const { closed } = start()
    for (const delay of [200, 400, 800, 1600, 3200, 5000, 5000]) {
      const before = FakeSocket.made.length
      socket().close()
      expect(closed.at(-1)).toBe(delay)
      vi.advanceTimersByTime(delay - 1)
      expect(FakeSocket.made.length).toBe(before)
      vi.advanceTimersByTime(1)
      expect(FakeSocket.made.length).toBe(before + 1)
    }
    socket().open()
    socket().close()
    expect(closed.at(-1)).toBe(200)
  })

  it('carries frames as MessagePack, without keys that are undefined', () => {
    const { send, received } = start()
    socket().open()
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
    const welcome = { kind: 'welcome', session: 's', seq: 1, reload: true } as const
    socket().message(encode(welcome).slice().buffer)
    socket().message(encode({ kind: 'noise' }).slice().buffer)
    socket().message('text')
    expect(received).toEqual([welcome])
  })

  it('sends nothing into a socket that is closing', () => {
    const { send } = start()
    socket().open()
    socket().readyState = 2
    send({ kind: 'hello', session: null, lastSeq: 0 })
    expect(socket().sent).toEqual([])
  })

  it('ends for good: no more tries, and no word of it', () => {
    const waiting = start()
    socket().close()
    waiting.end()
    vi.advanceTimersByTime(60_000)
    expect(FakeSocket.made.length).toBe(1)
    const open = start()
    socket().open()
    open.end()
    vi.advanceTimersByTime(60_000)
    expect(open.closed).toEqual([])
    expect(FakeSocket.made.length).toBe(2)
  })
})
