import { EventEmitter } from 'node:events'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Log } from '#engine/platform/ports.ts'
import { catchErrors } from '#hosts/electron/uncaught-errors.ts'

vi.mock('electron', () => ({ dialog: {}, shell: {} }))

const lines: string[] = []
const log: Log = {
  info: () => undefined,
  warn: (message) => void lines.push(message),
  error(message, cause) {
    const id = `id-${lines.length}`
    lines.push(`[${id}] ${message}: ${String(cause)}`)
    return id
  },
}
beforeEach(() => {
  lines.length = 0
})

function watched() {
  const errors = new EventEmitter()
  const startFailures: unknown[] = []
  const shownIds: string[] = []
  let closeBox: (() => void) | null = null
  let isQuitting = false
  const caught = catchErrors({
    failToStart: (error) => void startFailures.push(error),
    isQuitting: () => isQuitting,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a process, its errors
    errors: errors as unknown as NodeJS.Process,
  })
  const notify = async (id: string): Promise<void> => {
    shownIds.push(id)
    return new Promise((resolve) => {
      closeBox = resolve
    })
  }
  return {
    caught,
    notify,
    startFailures,
    shownIds,
    fail: (error: Error) => errors.emit('uncaughtException', error),
    reject: (error: Error) => errors.emit('unhandledRejection', error),
    quit: () => (isQuitting = true),
    closeBox: () => closeBox?.(),
  }
}

it('exits on an exception during startup', () => {
  const { caught, fail, startFailures } = watched()
  caught.logTo(log)
  const error = new Error('no')
  fail(error)
  expect(startFailures).toEqual([error])
  expect(lines).toEqual(['[id-0] Uncaught exception in the main process: Error: no'])
})

it('logs each exception of a running app, and shows its ID once', async () => {
  const { caught, notify, fail, startFailures, shownIds, closeBox } = watched()
  caught.logTo(log)
  caught.keepRunning(notify)
  const repeated = new Error('first')
  fail(repeated)
  fail(repeated)
  // Never two boxes at the same time.
  fail(new Error('second'))
  expect(shownIds).toEqual(['id-0'])
  expect(lines).toEqual([
    '[id-0] Uncaught exception in the main process: Error: first',
    'Uncaught exception in the main process again: [id-0]',
    '[id-2] Uncaught exception in the main process: Error: second',
  ])
  closeBox()
  await new Promise(setImmediate)
  fail(repeated)
  expect(shownIds).toEqual(['id-0'])
  fail(new Error('third'))
  expect(shownIds).toEqual(['id-0', 'id-4'])
  expect(startFailures).toEqual([])
})

it('logs errors during a quit and rejections, but does not show them', () => {
  const { caught, notify, fail, reject, quit, startFailures, shownIds } = watched()
  caught.logTo(log)
  reject(new Error('while it starts'))
  caught.keepRunning(notify)
  reject(new Error('later'))
  quit()
  fail(new Error('at the end'))
  expect(lines).toHaveLength(3)
  expect([...shownIds, ...startFailures]).toEqual([])
})
