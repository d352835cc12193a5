import type { BrowserWindow } from 'electron'
import { beforeEach, expect, it, vi } from 'vitest'
import { createRestartPrompt, describeFailure } from '#hosts/electron/engine/engine-failure.ts'

const shown = vi.hoisted(() => {
  const boxes: { parent: unknown; options: { detail: string; signal: AbortSignal } }[] = []
  const answers: number[] = []
  const inFolder: string[] = []
  return { boxes, answers, inFolder }
})
vi.mock('electron', () => ({
  dialog: {
    showMessageBox: async (...args: unknown[]) => {
      const [parent, options] = args.length > 1 ? args : [null, args[0]]
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the options are the last argument
      shown.boxes.push({ parent, options } as (typeof shown.boxes)[number])
      return { response: shown.answers.shift() ?? 2 }
    },
  },
  shell: { showItemInFolder: (file: string) => void shown.inFolder.push(file) },
}))

beforeEach(() => {
  for (const list of [shown.boxes, shown.answers, shown.inFolder]) list.length = 0
})

function windowThat(state: { visible: boolean; minimized: boolean } | null) {
  const calls: string[] = []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no more of it is asked
  const window = {
    isVisible: () => state?.visible,
    isMinimized: () => state?.minimized,
    show: () => void calls.push('show at once'),
  } as unknown as BrowserWindow
  let current = state === null ? undefined : window
  return {
    window,
    calls,
    get current() {
      return current
    },
    async show() {
      calls.push('show')
      state = { visible: true, minimized: false }
      current = window
    },
  }
}
const said = (message: string, code: 'store_in_use' | 'store_failed' | null): string =>
  describeFailure({ kind: 'not-opened', message, code }).detail

const words = { message: 'It stopped.', detail: 'Nothing is lost.' }
const over = new AbortController().signal

it.each([
  ['nothing', null, false],
  ['a window that has not painted yet', { visible: false, minimized: false }, false],
  ['a minimized window', { visible: true, minimized: true }, false],
  ['a window', { visible: true, minimized: false }, true],
])('attaches the box to the window only if it is visible: %s', async (_what, state, isOver) => {
  const window = windowThat(state)
  expect(await createRestartPrompt(window, '/logs/a.log', null, 'linux')(words, over)).toBe(false)
  expect(window.calls).toEqual([])
  expect(shown.boxes.map(({ parent }) => parent)).toEqual([isOver ? window.window : null])
})

it('opens a window first on macOS, where a box without one would block main', async () => {
  const window = windowThat(null)
  shown.answers.push(1, 0)
  expect(await createRestartPrompt(window, '/logs/a.log', null, 'darwin')(words, over)).toBe(true)
  expect(window.calls).toEqual(['show', 'show at once', 'show', 'show at once'])
  expect(shown.boxes.map(({ parent }) => parent)).toEqual([window.window, window.window])
  expect(shown.boxes[0]?.options).toMatchObject({
    detail: 'Nothing is lost.\n\nLog file: /logs/a.log',
    signal: over,
  })
  expect(shown.inFolder).toEqual(['/logs/a.log'])
})

it('shows errors of the system unchanged, as a sentence', () => {
  const unchanged = ' Nothing in the data folder was changed. Fix the cause, then restart.'
  expect(said('database or disk is full', null)).toBe(
    `Cause: database or disk is full.${unchanged}`,
  )
  expect(said('It is damaged. Delete it.', 'store_failed')).toBe(
    `It is damaged. Delete it.${unchanged}`,
  )
  expect(said('Another one uses it. Close it.', 'store_in_use')).toBe(
    'Another one uses it. Close it.',
  )
})
