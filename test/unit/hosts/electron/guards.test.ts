import type { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { guardApp, sandboxNotice } from '#hosts/electron/guards.ts'

const electron = await vi.hoisted(async () => {
  const events = await import('node:events')
  const emitter: EventEmitter = new events.EventEmitter()
  const switches = new Set<string>()
  const app = Object.assign(emitter, {
    isPackaged: true,
    commandLine: { hasSwitch: (name: string) => switches.has(name) },
    sandboxed: 0,
    enableSandbox(): void {
      app.sandboxed += 1
    },
  })
  return { app, switches }
})
vi.mock('electron', () => electron)

const { app, switches } = electron
beforeEach(() => {
  app.removeAllListeners()
  app.isPackaged = true
  app.sandboxed = 0
  switches.clear()
})

describe('the packaged app', () => {
  it.each([
    'remote-debugging-port',
    'remote-debugging-pipe',
    'disable-web-security',
    'ignore-certificate-errors',
    'host-resolver-rules',
    'load-extension',
    'js-flags',
    'ssl-key-log-file',
    'log-net-log',
    'browser-subprocess-path',
    'renderer-cmd-prefix',
    'utility-cmd-prefix',
    'gpu-launcher',
    'single-process',
    'enable-blink-features',
  ])('does not start with --%s, and a checkout does', (name) => {
    switches.add(name)
    expect(() => guardApp()).toThrow(`Tabscope does not start with --${name}. Start it without.`)
    app.isPackaged = false
    expect(() => guardApp()).not.toThrow()
  })

  it('starts with what a system needs to show windows', () => {
    for (const name of ['no-sandbox', 'ozone-platform', 'disable-gpu', 'data']) switches.add(name)
    expect(() => guardApp()).not.toThrow()
  })

  it('says so in its log when pages have no sandbox', () => {
    expect(sandboxNotice()).toBeNull()
    switches.add('no-sandbox')
    expect(sandboxNotice()).toContain("without Chromium's sandbox")
  })
})

describe('every page of the app', () => {
  it('is sandboxed, whatever its window asked for', () => {
    guardApp()
    expect(app.sandboxed).toBe(1)
  })

  it('gets no certificate of the user', () => {
    guardApp()
    const event = { prevented: false, preventDefault: () => (event.prevented = true) }
    const answers: unknown[][] = []
    const certificates = [{ subjectName: 'Ada' }]
    const answer = (...given: unknown[]): void => void answers.push(given)
    app.emit('select-client-certificate', event, {}, 'https://x.invalid/', certificates, answer)
    expect(event.prevented).toBe(true)
    expect(answers).toEqual([[]])
  })
})
