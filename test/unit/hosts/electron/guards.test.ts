import type { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { guardApp, sandboxNotice } from '#hosts/electron/guards.ts'

const electron = await vi.hoisted(async () => {
  const events = await import('node:events')
  const emitter: EventEmitter = new events.EventEmitter()
  // Switches that Electron adds itself before any script runs (shell/app/electron_main_delegate.cc), on any system.
  const own = ['allow-file-access-from-files', 'enable-avfoundation', 'ozone-platform']
  const switches = new Set<string>(own)
  const app = Object.assign(emitter, {
    isPackaged: true,
    commandLine: { hasSwitch: (name: string) => switches.has(name) },
    sandboxed: 0,
    /** As Electron does: by exact spelling only. */
    enableSandbox(): void {
      app.sandboxed += 1
      switches.delete('no-sandbox')
    },
  })
  return { app, switches, own }
})
vi.mock('electron', () => electron)

const { app, switches, own } = electron
beforeEach(() => {
  app.removeAllListeners()
  app.isPackaged = true
  app.sandboxed = 0
  switches.clear()
  for (const name of own) switches.add(name)
})

describe('the packaged app', () => {
  it.each(['remote-debugging-port', 'remote-debugging-pipe', 'remote-debugging-address'])(
    'does not start with --%s, and a checkout does',
    (name) => {
      switches.add(name)
      expect(() => guardApp()).toThrow(
        `Tabscope does not allow --${name}. Start it without this switch.`,
      )
      app.isPackaged = false
      expect(() => guardApp()).not.toThrow()
    },
  )

  it('starts with switches that Electron adds itself and that a system needs to show windows', () => {
    switches.add('no-sandbox')
    switches.add('disable-gpu')
    expect(() => guardApp()).not.toThrow()
  })

  it('logs that it was started without a sandbox', () => {
    guardApp()
    expect(sandboxNotice()).toBeNull()
    switches.add('no-sandbox')
    guardApp()
    expect(sandboxNotice()).toContain("Chromium's sandbox is not complete")
  })
})

describe('every page of the app', () => {
  it('is sandboxed, whatever its window options', () => {
    guardApp()
    expect(app.sandboxed).toBe(1)
  })

  it('has no spell checker: a new session requests no dictionary', () => {
    guardApp()
    const calls: unknown[] = []
    app.emit('session-created', {
      setSpellCheckerLanguages: (languages: unknown) => calls.push(languages),
      setSpellCheckerEnabled: (enabled: unknown) => calls.push(enabled),
    })
    expect(calls).toEqual([[], false])
  })

  it('has no warning with its URL', async () => {
    const written: string[] = []
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written.push(String(text))
      return true
    })
    guardApp()
    process.emitWarning('Failed to load URL: https://a.invalid/?code=1', 'electron')
    process.emitWarning('Something else', 'DeprecationWarning')
    await new Promise((resolve) => setImmediate(resolve))
    write.mockRestore()
    expect(written).toEqual(['DeprecationWarning: Something else\n'])
  })

  it('gets no client certificate of the user', () => {
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
