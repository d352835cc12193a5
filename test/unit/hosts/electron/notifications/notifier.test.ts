import type { EventEmitter } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Log } from '#engine/platform/ports.ts'
import { backgroundNotification } from '#hosts/electron/notifications/messages.ts'
import { createNotifier } from '#hosts/electron/notifications/notifier.ts'

const system = await vi.hoisted(async () => {
  const events = await import('node:events')
  const state = { isSupported: true, shown: [] as WeakRef<EventEmitter>[] }
  class Notification extends events.EventEmitter {
    static isSupported(): boolean {
      return state.isSupported
    }
    show(): void {
      state.shown.push(new WeakRef(this))
    }
  }
  return { state, Notification }
})
vi.mock('electron', () => ({ app: {}, Notification: system.Notification }))

const warnings: string[] = []
const log: Log = {
  info: () => undefined,
  warn: (line) => void warnings.push(line),
  error: () => '',
}
const opened: (string | undefined)[] = []
const window = {
  current: undefined,
  all: [],
  openAnother: async () => undefined,
  owns: () => false,
  show: async (url?: string) => void opened.push(url),
  onOpened: () => undefined,
  onClosed: () => undefined,
}
beforeEach(() => {
  warnings.length = 0
  opened.length = 0
  system.state.shown.length = 0
  system.state.isSupported = true
})

const note = (hash: string) => ({ title: 'A', body: 'B', hash })
const emit = (index: number, event: string, ...args: unknown[]): void =>
  void system.state.shown[index]?.deref()?.emit(event, {}, ...args)

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  // Weak references that were read in this turn are kept until its end.
  await new Promise((resolve) => setImmediate(resolve))
  collect()
}

describe('a notification', () => {
  it('opens its page, even from the list of the system after it was closed', async () => {
    const notifier = createNotifier(window, log)
    notifier.show(note('#/deliveries/7'))
    emit(0, 'close')
    await collectGarbage()
    emit(0, 'click')
    expect(opened).toEqual(['app://tabscope/index.html#/deliveries/7'])
    notifier.show(note(''))
    emit(1, 'click')
    expect(opened).toHaveLength(2)
    expect(opened[1]).toBeUndefined()
  })

  it('is referenced only while it is one of the newest', async () => {
    const notifier = createNotifier(window, log)
    for (let shown = 0; shown < 25; shown += 1) notifier.show(note('#/setup/reach'))
    await collectGarbage()
    const held = system.state.shown.filter((reference) => reference.deref() !== undefined)
    expect(held).toHaveLength(20)
    expect(system.state.shown.at(-1)?.deref()).toBeDefined()
  })

  it('reports that it was shown, later, and logs why it was not', () => {
    const notifier = createNotifier(window, log)
    const shown = vi.fn<() => void>()
    notifier.show(backgroundNotification, shown)
    expect(shown).not.toHaveBeenCalled()
    emit(0, 'show')
    expect(shown).toHaveBeenCalledTimes(1)
    notifier.show(backgroundNotification, shown)
    emit(1, 'failed', 'Not allowed.')
    expect(warnings).toEqual(['A notification could not be shown: Not allowed.'])
    system.state.isSupported = false
    notifier.show(backgroundNotification, shown)
    expect(shown).toHaveBeenCalledTimes(1)
    expect(system.state.shown).toHaveLength(2)
  })
})
