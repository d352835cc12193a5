import { describe, expect, it } from 'vitest'
import { FromEngine, ToEngine, type WindowEvent } from '#hosts/electron/engine/messages.ts'
import { createWindowHost } from '#hosts/electron/authorization/window-host.ts'
import {
  createRemoteBrowser,
  createRemoteWindow,
} from '#hosts/electron/engine-process/remote-ports.ts'
import type { AuthorizationWindow } from '#engine/platform/ports.ts'

type Listener = Parameters<AuthorizationWindow['open']>[1]
const request = { url: 'https://service.invalid/', redirectUrl: 'https://x.invalid/', state: 's' }

/** The engine's side and main's side, connected by messages that are validated by both schemas, and the calls that main's window received. */
function joined() {
  const shown: { request: unknown; on: Listener; closed: number }[] = []
  const host = createWindowHost(
    {
      open(given, on) {
        const one = { request: given, on, closed: 0 }
        shown.push(one)
        return { close: () => void (one.closed += 1) }
      },
    },
    (id: number, event: WindowEvent) => {
      const message = ToEngine.parse({ kind: 'window-event', id, event })
      if (message.kind === 'window-event') remote.receive(message.id, message.event)
    },
  )
  const remote = createRemoteWindow((sent) => {
    const message = FromEngine.parse(sent)
    if (message.kind === 'open-window') host.open(message.id, message)
    else if (message.kind === 'close-window') host.close(message.id)
    else throw new Error(message.kind)
  })
  return { remote, host, shown }
}

function listen() {
  const events: string[] = []
  const on: Listener = {
    hop: (url) => void events.push(`hop ${url}`),
    returned: (url) => void events.push(`returned ${url}`),
    closed: () => void events.push('closed'),
    failed: (message) => void events.push(`failed ${message}`),
  }
  return { events, on }
}

describe('the authorization window, from the engine to main and back', () => {
  it('is opened as requested, and reports everything until the redirect', () => {
    const { remote, shown } = joined()
    const { events, on } = listen()
    remote.open(request, on)
    expect(shown[0]?.request).toMatchObject(request)
    shown[0]?.on.hop('https://a.invalid/')
    shown[0]?.on.failed('No page.')
    shown[0]?.on.returned('https://x.invalid/?code=1')
    shown[0]?.on.hop('https://late.invalid/')
    expect(events).toEqual([
      'hop https://a.invalid/',
      'failed No page.',
      'returned https://x.invalid/?code=1',
    ])
  })

  it('is closed once, and reports nothing after that', () => {
    const { remote, shown } = joined()
    const { events, on } = listen()
    const opened = remote.open(request, on)
    opened.close()
    opened.close()
    shown[0]?.on.closed()
    expect(shown[0]?.closed).toBe(1)
    expect(events).toEqual([])
  })

  it('reports each run separately', () => {
    const { remote, shown } = joined()
    const [first, second] = [listen(), listen()]
    remote.open(request, first.on)
    remote.open(request, second.on)
    shown[0]?.on.closed()
    shown[1]?.on.hop('https://b.invalid/')
    expect([first.events, second.events]).toEqual([['closed'], ['hop https://b.invalid/']])
  })

  it('is closed when the engine ends', () => {
    const { remote, host, shown } = joined()
    remote.open(request, listen().on)
    host.closeAll()
    expect(shown[0]?.closed).toBe(1)
  })
})

describe("the system's browser, from the engine", () => {
  it('responds to each address by its ID', async () => {
    const sent: FromEngine[] = []
    const browser = createRemoteBrowser((message) => void sent.push(message))
    const both = [browser.open('https://a.invalid/'), browser.open('file:///x')]
    expect(sent).toEqual([
      { kind: 'open-external', id: 1, url: 'https://a.invalid/' },
      { kind: 'open-external', id: 2, url: 'file:///x' },
    ])
    browser.resolve(2, false)
    browser.resolve(1, true)
    browser.resolve(1, false)
    expect(await Promise.all(both)).toEqual([true, false])
  })
})
