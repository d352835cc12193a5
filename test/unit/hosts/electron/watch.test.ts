import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { EngineState } from '#hosts/electron/engine-mirror.ts'
import { startWatch } from '#hosts/electron/watch.ts'
import { sampleEngineState } from '#test/support/engine-state.ts'

class Window extends EventEmitter {
  focused = true
  visible = true
  minimized = false
  isFocused = (): boolean => this.focused
  isVisible = (): boolean => this.visible
  isMinimized = (): boolean => this.minimized
}

const nothing = (): void => undefined

function start() {
  let arrived: (push: { rows: object[] }) => void = nothing
  let changed: (state: EngineState, fresh: boolean) => void = nothing
  const shown = new Window()
  const view = { on: (_name: string, listener: typeof arrived) => void (arrived = listener) }
  const window = {
    current: shown,
    onOpened: (listener: (opened: Window) => void) => listener(shown),
  }
  const mirror = { onChange: (listener: typeof changed) => void (changed = listener) }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the host, the watch uses these alone
  const watch = startWatch({ view, window } as never, mirror as never)
  let id = 0
  return {
    watch,
    shown,
    engineOpens: () => changed(sampleEngineState(), true),
    fail: (receivedAt = Date.now()): void => {
      id += 1
      arrived({ rows: [{ id, receivedAt, endpointId: 1, verdict: 'invalid' }] })
    },
  }
}

describe('what counts as looking', () => {
  it('is a window that is focused and visible', () => {
    const { watch, shown, engineOpens, fail } = start()
    engineOpens()
    fail()
    expect(watch.unseen.count).toBe(0)
    shown.minimized = true
    fail()
    shown.minimized = false
    shown.visible = false
    fail()
    shown.visible = true
    shown.focused = false
    fail()
    expect(watch.unseen.count).toBe(3)
    shown.emit('focus')
    expect(watch.unseen.count).toBe(0)
  })

  it('continues with a restarted engine: deliveries received by the previous one are new', () => {
    const { watch, shown, engineOpens, fail } = start()
    shown.focused = false
    engineOpens()
    const before = Date.now()
    engineOpens()
    fail(before)
    expect(watch.unseen.count).toBe(1)
  })
})
