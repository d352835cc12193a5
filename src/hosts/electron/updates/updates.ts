import { app } from 'electron'
import type { UpdateState } from '#contract/desktop.ts'
import type { Settings } from '#contract/models.ts'
import type { SystemRequest } from '../engine/messages.ts'
import type { EngineView } from '../engine/view.ts'
import type { Log } from '#engine/platform/ports.ts'
import { scheduleChecks, watchActivity } from './schedule.ts'
import type { Release } from './found-release.ts'
import { isSignedWithCertificate } from './installation.ts'
import { releaseKeyOf } from './signed-sums.ts'
import type { Updater } from './updater.ts'

/** The release key that the build was given, as `signed-sums.ts` reads it; empty: none. */
declare const __UPDATE_KEY__: string

/** Milliseconds between two steps of a download that are told. */
const TELL_MS = 250

export interface Updates {
  state(): UpdateState
  /** What the interface asks for. Rejects with a sentence. */
  do(wish: Exclude<Extract<SystemRequest, string>, 'show-logs'>): Promise<void>
}

export interface UpdatesOptions {
  readonly view: EngineView
  readonly log: Log
  readonly changed: (state: UpdateState) => void
  /** Ends the engine, which commits what it holds, and gives the data folder free for the Tabscope that comes. */
  readonly shutDown: () => Promise<void>
  /** What the Tabscope that comes is started with, so that it goes on where this one was. */
  readonly args: readonly string[]
  /** Keeps `args` for the first start of `version`, where the installer starts it without any. */
  readonly keepArguments: (version: string) => void
}

const fromSources = 'Tabscope was started from its source code. Update the source code instead.'
/** Whose releases they are could not be known. */
const withoutKey =
  'This build has no key to verify releases, so it does not check for updates. Update it from where you got it.'
const notReplaceable =
  'Tabscope cannot update itself: it was not installed as an AppImage, as a package or by its installer.'
const withoutCertificate =
  'This copy of Tabscope is not signed with a certificate, so macOS does not allow it to update itself. Download the new version and replace the app.'

/** Brings Tabscope up to date as the settings say. Only after the app is ready. */
export function startUpdates(options: UpdatesOptions): Updates {
  const { view, log } = options
  const capture = watchActivity(view, Date.now)
  let updater: Updater | null = null
  let choice: Settings['updates'] = 'off'
  let installing = false
  let begun = false
  const key = releaseKeyOf(__UPDATE_KEY__)
  const reason = !app.isPackaged ? fromSources : key === null ? withoutKey : null
  let state: UpdateState =
    reason === null ? { state: 'idle', checkedAt: null } : { state: 'unavailable', reason }

  function tell(next: UpdateState): void {
    state = next
    options.changed(next)
  }
  function failed(error: unknown, version: string | null): void {
    const message = describeUpdateError(error)
    log.warn(`Updates: ${message}`)
    tell({ state: 'failed', version, message })
  }
  const ready = (version: string): void =>
    tell({ state: 'ready', version, waitsFor: capture.reason() })

  async function check(): Promise<void> {
    const before = state
    // What is on its way is not asked for again.
    if (['unavailable', 'checking', 'downloading'].includes(before.state)) return
    // What is here stays offered while it is asked whether there is something newer still.
    if (before.state !== 'ready') tell({ state: 'checking' })
    try {
      if (updater === null) {
        const opened = await open()
        if (typeof opened === 'string') return tell({ state: 'unavailable', reason: opened })
        updater = opened
      }
      await take(await updater.check(), before)
    } catch (error) {
      if (before.state === 'ready') log.warn(`Updates: ${describeUpdateError(error)}`)
      else failed(error, null)
    }
  }

  /** Loaded when it is first asked for; a sentence: why there is none. Without a key the state said so, and nothing comes this far. */
  async function open(): Promise<Updater | string> {
    if (key === null) return withoutKey
    if (process.platform === 'darwin' && !(await isSignedWithCertificate(process.execPath))) {
      return withoutCertificate
    }
    const { openUpdater } = await import('./updater.ts')
    return openUpdater(key, log) ?? notReplaceable
  }

  async function take(found: Release | null, before: UpdateState): Promise<void> {
    // One that was taken back is not offered any more, though it is here.
    if (found === null) return tell({ state: 'idle', checkedAt: Date.now() })
    const { version, page, distrust: why } = found
    if (before.state === 'ready' && (before.version === version || why !== null)) return
    tell({ state: 'available', version, page, why })
    if (choice === 'download' && why === null) await download()
  }

  async function download(): Promise<void> {
    if (state.state !== 'available' || updater === null) throw new Error('Check for updates first.')
    const { version, why } = state
    if (why !== null) throw new Error(why)
    tell({ state: 'downloading', version, share: 0 })
    let toldAt = 0
    try {
      await updater.download((share) => {
        if (Date.now() - toldAt < TELL_MS) return
        toldAt = Date.now()
        tell({ state: 'downloading', version, share })
      })
      ready(version)
    } catch (error) {
      failed(error, version)
    }
  }

  /** Whether it may be now was asked in the engine (`updates.install`), where the user can say that it may. */
  async function install(): Promise<void> {
    if (state.state !== 'ready' || updater === null || installing)
      throw new Error('There is no update to install.')
    installing = true
    try {
      const { version } = state
      await updater.install({
        args: options.args,
        keepArguments: () => options.keepArguments(version),
        shutDown: options.letGo,
      })
    } catch (error) {
      installing = false
      const message = `The update was not installed. ${describeUpdateError(error)}`
      // It is looked for and fetched anew: what is here may be what was wrong.
      failed(new Error(message), state.version)
      throw new Error(message, { cause: error })
    }
  }

  capture.onChange(() => {
    if (state.state === 'ready') ready(state.version)
  })
  const follow = ({ updates }: Settings): void => {
    const before = choice
    choice = updates
    if (updates === 'download' && before !== 'download' && state.state === 'available') {
      if (state.why === null) void download()
    }
  }
  const begin = (): void => {
    if (begun || reason !== null) return
    begun = true
    scheduleChecks(
      () => choice,
      () => void check(),
      (ms, callback) => void setTimeout(callback, ms).unref(),
    )
  }
  view.onSnapshot(({ settings }) => {
    follow(settings)
    // Not before it is known what is wanted.
    begin()
  })
  view.on('settings.changed', follow)

  return {
    state: () => state,
    do(wish) {
      switch (wish) {
        case 'check-update':
          return check()
        case 'download-update':
          return download()
        case 'install-update':
          return install()
      }
    },
  }
}

/** Libraries put more than a sentence into their errors: the stack, the headers of an answer. */
export function describeUpdateError(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') {
    return 'The disk is full. Free disk space, then try again.'
  }
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  const sentence = line.trim().slice(0, 300)
  return sentence === '' ? 'Could not reach the release server.' : sentence
}
