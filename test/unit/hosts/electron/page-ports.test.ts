import type { MessagePortMain, WebContents, WebFrameMain } from 'electron'
import { describe, expect, it, vi } from 'vitest'
import { portGiven } from '#contract/host-messages.ts'
import { partialDouble } from '#test/support/partial-double.ts'
import { APP_URL } from '#hosts/electron/app-url.ts'
import { handlePortRequests, sendPort } from '#hosts/electron/engine/host.ts'
import type { Ipc } from '#hosts/electron/ipc.ts'
import type { InterfaceWindow } from '#hosts/electron/window/interface-window.ts'

vi.mock('electron', () => ({}))

/** A port, and a page that exists or, as in Electron, throws for anything sent to it. */
function start(isThere: boolean) {
  const events: string[] = []
  const port = partialDouble<MessagePortMain>({ close: () => events.push('closed') })
  const page = {
    postMessage(channel: string, message: unknown, ports: unknown[]): void {
      if (!isThere) throw new Error('Render frame was disposed before it could be accessed')
      expect([channel, message, ports]).toEqual([portGiven, null, [port]])
      events.push('given')
    },
  }
  return { events, port, page }
}

describe.each([
  ['is there', true, ['given']],
  ['is gone meanwhile', false, ['closed']],
])('a page that %s', (_name, isThere, expected) => {
  it('and asks for a port', () => {
    const { events, port, page } = start(isThere)
    const frame = partialDouble<WebFrameMain>(page)
    const sender = partialDouble<WebContents>({})
    const ipc: Ipc = {
      on: (_channel, payload, take) => take(payload.parse(undefined), frame, sender),
    }
    handlePortRequests(ipc, () => port)
    expect(events).toEqual(expected)
  })

  it('and is sent one after a restart', () => {
    const { events, port, page } = start(isThere)
    const webContents = { ...page, isCrashed: () => false, getURL: () => APP_URL }
    const window = partialDouble<InterfaceWindow>({ all: [{ webContents }] })
    sendPort(window, () => port)
    expect(events).toEqual(expected)
  })
})
