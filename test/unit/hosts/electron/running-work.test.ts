import { expect, it } from 'vitest'
import { trackRunningWork } from '#hosts/electron/running-work.ts'

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
  const work = trackRunningWork(view as never, nothing)
  const runs = { state: 'running' }
  const job = (id: number, state: string, removed = false): void =>
    tell('jobs.changed', { job: { id, state }, removed })

  expect(work.quitWarning()).toBeNull()
  const logs = { exports: [{ state: 'done' }], imports: [] }
  tell('snapshot', {
    jobs: [
      { id: 1, ...runs },
      { id: 2, state: 'paused' },
    ],
    logs,
    tunnel: { state: 'online' },
    settings: { preventSleep: false },
  })
  expect(work.preventsSleep()).toBe(false)
  tell('settings.changed', { preventSleep: true })
  expect(work.quitWarning()).toMatch(/^A job is sending/)
  job(2, 'running')
  job(1, 'done')
  expect(work.quitWarning()).toMatch(/^A job is sending/)
  tell('tunnel.changed', { state: 'off' })
  expect(work.preventsSleep()).toBe(true)
  job(2, 'running', true)
  expect(work.preventsSleep()).toBe(false)
  tell('tunnel.changed', { state: 'reconnecting' })
  expect(work.preventsSleep()).toBe(true)
  expect(work.quitWarning()).toBeNull()
  tell('logs.changed', { exports: [], imports: [runs] })
  expect(work.quitWarning()).toMatch(/^An import is running/)
  tell('logs.changed', { exports: [{ state: 'failed' }, runs], imports: [runs] })
  expect(work.quitWarning()).toMatch(/^An export is running/)
  tell('tunnel.changed', { state: 'off' })
  expect(work.preventsSleep()).toBe(false)
  tell('logs.changed', { exports: [runs], imports: [] })
  // Nothing can be lost any more.
  gone()
  expect(work.quitWarning()).toBeNull()
})
