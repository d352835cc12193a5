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

/** None is open until it is shown. */
function closedWindow() {
  const calls: string[] = []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no more of it is asked
  const window = {
    isVisible: () => true,
    isMinimized: () => false,
    show: () => void calls.push('show at once'),
  } as unknown as BrowserWindow
  let current: BrowserWindow | undefined
  return {
    window,
    calls,
    get current() {
      return current
    },
    async show() {
      calls.push('show')
      current = window
    },
  }
}
const said = (message: string, code: 'store_in_use' | 'store_failed' | null): string =>
  describeFailure({ kind: 'not-opened', message, code }).detail

const words = { message: 'It stopped.', detail: 'Nothing is lost.' }
const over = new AbortController().signal

it('opens a window first on macOS, where a box without one would block main', async () => {
  const window = closedWindow()
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
