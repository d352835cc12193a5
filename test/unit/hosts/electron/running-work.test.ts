import { expect, it, vi } from 'vitest'
import { trackRunningWork } from '#hosts/electron/quitting.ts'

vi.mock('electron', () => ({}))

const nothing = (): void => undefined

it('includes running jobs, exports and imports while the engine runs', () => {
  const listeners = new Map<string, (payload: object) => void>()
  let gone = nothing
  const view = {
    on: (name: string, listener: (payload: object) => void) => void listeners.set(name, listener),
    onSnapshot: (listener: (snapshot: object) => void) => void listeners.set('snapshot', listener),
    onGone: (listener: () => void) => void (gone = listener),
  }
  const tell = (name: string, payload: object): void => listeners.get(name)?.(payload)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the view, it uses these alone
  const work = trackRunningWork(view as never)
  const runs = { state: 'running' }
  const job = (id: number, state: string, removed = false): void =>
    tell('jobs.changed', { job: { id, state }, removed })

  expect(work.describe()).toBeNull()
  const logs = { exports: [{ state: 'done' }], imports: [] }
  tell('snapshot', {
    jobs: [
      { id: 1, ...runs },
      { id: 2, state: 'paused' },
    ],
    logs,
  })
  expect(work.describe()).toMatch(/^A job is sending/)
  job(2, 'running')
  job(1, 'done')
  expect(work.describe()).toMatch(/^A job is sending/)
  job(2, 'running', true)
  expect(work.describe()).toBeNull()
  tell('logs.changed', { exports: [], imports: [runs] })
  expect(work.describe()).toMatch(/^An import is running/)
  tell('logs.changed', { exports: [{ state: 'failed' }, runs], imports: [runs] })
  expect(work.describe()).toMatch(/^An export is running/)
  // Nothing can be lost any more.
  gone()
  expect(work.describe()).toBeNull()
})
