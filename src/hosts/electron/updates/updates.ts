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

/** The release key of this build, in the format of `signed-sums.ts`; empty if there is none. */
declare const __UPDATE_KEY__: string

/** Minimum time between two reports of download progress, in milliseconds. */
const PROGRESS_MS = 250

export interface Updates {
  state(): UpdateState
  /** Runs a request of the interface. Rejects with a sentence. */
  do(request: Exclude<Extract<SystemRequest, string>, 'show-logs'>): Promise<void>
}

export interface UpdatesOptions {
  readonly view: EngineView
  readonly log: Log
  readonly changed: (state: UpdateState) => void
  /** Closes the engine, which commits its data, and releases the data folder for the new version. */
  readonly shutDown: () => Promise<void>
  /** Arguments for the new version, so that it uses the same data folder. */
  readonly args: readonly string[]
  /** Saves `args` for the first start of `version`, if the installer starts it without arguments. */
  readonly saveArguments: (version: string) => void
}

const runsFromSource = 'Tabscope was started from its source code. Update the source code instead.'
/** Without a key, releases cannot be verified. */
const withoutKey =
  'This build has no key to verify releases, so it does not check for updates. Update it from where you got it.'
const notReplaceable =
  'Tabscope cannot update itself: it was not installed as an AppImage, as a package or by its installer.'
const withoutCertificate =
  'This copy of Tabscope is not signed with a certificate, so macOS does not allow it to update itself. Download the new version and replace the app.'

/** Checks for updates and downloads them as the settings say. The app must be ready. */
export function startUpdates(options: UpdatesOptions): Updates {
  const { view, log } = options
  const capture = watchActivity(view, Date.now)
  let updater: Updater | null = null
  let setting: Settings['updates'] = 'off'
  let installing = false
  let hasBegun = false
  const key = releaseKeyOf(__UPDATE_KEY__)
  const reason = !app.isPackaged ? runsFromSource : key === null ? withoutKey : null
  let state: UpdateState =
    reason === null ? { state: 'idle', checkedAt: null } : { state: 'unavailable', reason }

  function setState(next: UpdateState): void {
    state = next
    options.changed(next)
  }
  function failed(error: unknown, version: string | null): void {
    const message = describeUpdateError(error)
    log.warn(`Updates: ${message}`)
    setState({ state: 'failed', version, message })
  }
  const ready = (version: string): void =>
    setState({ state: 'ready', version, waitsFor: capture.reason() })

  async function check(): Promise<void> {
    const previous = state
    // A check or download is already running.
    if (['unavailable', 'checking', 'downloading'].includes(previous.state)) return
    // A downloaded update stays available during a check for a newer one.
    if (previous.state !== 'ready') setState({ state: 'checking' })
    try {
      if (updater === null) {
        const opened = await open()
        if (typeof opened === 'string') return setState({ state: 'unavailable', reason: opened })
        updater = opened
      }
      await handleRelease(await updater.check(), previous)
    } catch (error) {
      if (previous.state === 'ready') log.warn(`Updates: ${describeUpdateError(error)}`)
      else failed(error, null)
    }
  }

  /**
   * Loads the updater on first use. Returns a sentence with the reason if there is none. Without a key, the state is already `unavailable`, and this is not
   * called.
   */
  async function open(): Promise<Updater | string> {
    if (key === null) return withoutKey
    if (process.platform === 'darwin' && !(await isSignedWithCertificate(process.execPath))) {
      return withoutCertificate
    }
    const { openUpdater } = await import('./updater.ts')
    return openUpdater(key, log) ?? notReplaceable
  }

  async function handleRelease(release: Release | null, previous: UpdateState): Promise<void> {
    // A withdrawn release is no longer offered, even if it was downloaded.
    if (release === null) return setState({ state: 'idle', checkedAt: Date.now() })
    const { version, page, problem: why } = release
    if (previous.state === 'ready' && (previous.version === version || why !== null)) return
    setState({ state: 'available', version, page, why })
    if (setting === 'download' && why === null) await download()
  }

  async function download(): Promise<void> {
    if (state.state !== 'available' || updater === null) throw new Error('Check for updates first.')
    const { version, why } = state
    if (why !== null) throw new Error(why)
    setState({ state: 'downloading', version, share: 0 })
    let reportedAt = 0
    try {
      await updater.download((share) => {
        if (Date.now() - reportedAt < PROGRESS_MS) return
        reportedAt = Date.now()
        setState({ state: 'downloading', version, share })
      })
      ready(version)
    } catch (error) {
      failed(error, version)
    }
  }

  /** The engine has already checked whether an update may be installed now (`updates.install`), where the user can override it. */
  async function install(): Promise<void> {
    if (state.state !== 'ready' || updater === null || installing)
      throw new Error('There is no update to install.')
    installing = true
    try {
      const { version } = state
      await updater.install({
        args: options.args,
        saveArguments: () => options.saveArguments(version),
        shutDown: options.shutDown,
      })
    } catch (error) {
      installing = false
      const message = `The update was not installed. ${describeUpdateError(error)}`
      // The next attempt checks and downloads again, since the downloaded file may be the problem.
      failed(new Error(message), state.version)
      throw new Error(message, { cause: error })
    }
  }

  capture.onChange(() => {
    if (state.state === 'ready') ready(state.version)
  })
  const applySettings = ({ updates }: Settings): void => {
    const previous = setting
    setting = updates
    if (updates === 'download' && previous !== 'download' && state.state === 'available') {
      if (state.why === null) void download()
    }
  }
  const begin = (): void => {
    if (hasBegun || reason !== null) return
    hasBegun = true
    scheduleChecks(
      () => setting,
      () => void check(),
      (ms, callback) => void setTimeout(callback, ms).unref(),
    )
  }
  view.onSnapshot(({ settings }) => {
    applySettings(settings)
    // The schedule starts once the setting is known.
    begin()
  })
  view.on('settings.changed', applySettings)

  return {
    state: () => state,
    do(request) {
      switch (request) {
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

/** The first line of an error message. Libraries add more, such as the stack or response headers. */
export function describeUpdateError(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') {
    return 'The disk is full. Free disk space, then try again.'
  }
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  const sentence = line.trim().slice(0, 300)
  return sentence === '' ? 'Could not reach the release server.' : sentence
}
