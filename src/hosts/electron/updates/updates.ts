import { app } from 'electron'
import type { UpdateState } from '#contract/desktop.ts'
import type { Settings } from '#contract/models.ts'
import type { EngineView } from '../engine/view.ts'
import type { Log } from '#engine/platform/ports.ts'
import type { RunningWork } from '../running-work.ts'
import type { Release } from './found-release.ts'
import { isSignedWithCertificate } from './installation.ts'
import { releaseKeyOf } from './signed-sums.ts'
import type { Updater } from './updater.ts'
import { messageOf, systemCodeOf } from '#shared/text/errors.ts'

/** In the format of `signed-sums.ts`; empty if there is none. */
declare const __UPDATE_KEY__: string

const PROGRESS_MS = 250

export interface UpdatesOptions {
  readonly view: EngineView
  readonly work: Pick<RunningWork, 'updateBlocker'>
  readonly log: Log
  readonly changed: (state: UpdateState) => void
  /** Commits the engine's data, and releases the data folder for the new version. */
  readonly shutDown: () => Promise<void>
  readonly args: readonly string[]
  /** For the first start of `version`, if the installer starts it without arguments. */
  readonly saveArguments: (version: string) => void
}

const runsFromSource = 'Tabscope was started from its source code. Update the source code instead.'
const withoutKey =
  'This build has no key to verify releases, so it does not check for updates. Update it from where you got it.'
const notReplaceable =
  'Tabscope cannot update itself: it was not installed as an AppImage, as a package or by its installer.'
const withoutCertificate =
  'This copy of Tabscope is not signed with a certificate, so macOS does not allow it to update itself. Download the new version and replace the app.'

/** Checks and downloads as the settings say, and installs on request. `check`, `download` and `install` reject with a sentence. */
export class Updates {
  readonly #options: UpdatesOptions
  readonly #key = releaseKeyOf(__UPDATE_KEY__)
  /** Loaded on first use. */
  #updater: Updater | null = null
  #setting: Settings['updates'] = 'off'
  #installing = false
  #isScheduled = false
  #state: UpdateState

  /** The app must be ready. */
  constructor(options: UpdatesOptions) {
    const { view } = options
    this.#options = options
    const reason = !app.isPackaged ? runsFromSource : this.#key === null ? withoutKey : null
    this.#state =
      reason === null ? { state: 'idle', checkedAt: null } : { state: 'unavailable', reason }
    view.onSnapshot(({ settings }) => {
      this.#applySettings(settings)
      // The schedule starts once the setting is known.
      if (reason === null) this.#schedule()
    })
    view.on('settings.changed', (settings) => this.#applySettings(settings))
  }

  get state(): UpdateState {
    return this.#state
  }

  /** An update that was downloaded may wait for other work now. */
  workChanged(): void {
    if (this.#state.state !== 'ready') return
    const { version, waitsFor } = this.#state
    if (waitsFor !== this.#options.work.updateBlocker()) this.#ready(version)
  }

  async check(): Promise<void> {
    const previous = this.#state
    // A check or download is already running.
    if (['unavailable', 'checking', 'downloading'].includes(previous.state)) return
    // A downloaded update stays available during a check for a newer one.
    if (previous.state !== 'ready') this.#setState({ state: 'checking' })
    try {
      if (this.#updater === null) {
        const opened = await this.#open()
        if (typeof opened === 'string') {
          return this.#setState({ state: 'unavailable', reason: opened })
        }
        this.#updater = opened
      }
      await this.#handleRelease(await this.#updater.check(), previous)
    } catch (error) {
      if (previous.state !== 'ready') this.#failed(error, null)
      else this.#options.log.warn(`Updates: ${describeUpdateError(error)}`)
    }
  }

  async download(): Promise<void> {
    const updater = this.#updater
    if (this.#state.state !== 'available' || updater === null) {
      throw new Error('Check for updates first.')
    }
    const { version, why } = this.#state
    if (why !== null) throw new Error(why)
    this.#setState({ state: 'downloading', version, share: 0 })
    let reportedAt = 0
    try {
      await updater.download((share) => {
        if (Date.now() - reportedAt < PROGRESS_MS) return
        reportedAt = Date.now()
        this.#setState({ state: 'downloading', version, share })
      })
      this.#ready(version)
    } catch (error) {
      this.#failed(error, version)
    }
  }

  /** The engine has already checked whether an update may be installed now, where the user can override it. */
  async install(): Promise<void> {
    if (this.#state.state !== 'ready' || this.#updater === null || this.#installing) {
      throw new Error('There is no update to install.')
    }
    this.#installing = true
    const { version } = this.#state
    const { args, saveArguments, shutDown } = this.#options
    try {
      await this.#updater.install({ args, saveArguments: () => saveArguments(version), shutDown })
    } catch (error) {
      this.#installing = false
      const message = `The update was not installed. ${describeUpdateError(error)}`
      // The next attempt checks and downloads again, since the downloaded file may be the problem.
      this.#failed(new Error(message), version)
      throw new Error(message, { cause: error })
    }
  }

  /** A sentence if there is no updater. Without a key, this is not called. */
  async #open(): Promise<Updater | string> {
    if (this.#key === null) return withoutKey
    if (process.platform === 'darwin' && !(await isSignedWithCertificate(process.execPath))) {
      return withoutCertificate
    }
    const { openUpdater } = await import('./updater.ts')
    return openUpdater(this.#key, this.#options.log) ?? notReplaceable
  }

  async #handleRelease(release: Release | null, previous: UpdateState): Promise<void> {
    // A withdrawn release is no longer offered, even if it was downloaded.
    if (release === null) return this.#setState({ state: 'idle', checkedAt: Date.now() })
    const { version, page, problem: why } = release
    if (previous.state === 'ready' && (previous.version === version || why !== null)) return
    this.#setState({ state: 'available', version, page, why })
    if (this.#setting === 'download' && why === null) await this.download()
  }

  #applySettings({ updates }: Settings): void {
    const previous = this.#setting
    this.#setting = updates
    if (updates !== 'download' || previous === 'download') return
    if (this.#state.state === 'available' && this.#state.why === null) void this.download()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    scheduleChecks(
      () => this.#setting,
      () => void this.check(),
      (ms, callback) => void setTimeout(callback, ms).unref(),
    )
  }

  #ready(version: string): void {
    this.#setState({ state: 'ready', version, waitsFor: this.#options.work.updateBlocker() })
  }

  #failed(error: unknown, version: string | null): void {
    const message = describeUpdateError(error)
    this.#options.log.warn(`Updates: ${message}`)
    this.#setState({ state: 'failed', version, message })
  }

  #setState(next: UpdateState): void {
    this.#state = next
    this.#options.changed(next)
  }
}

const unreachable = 'Could not reach the release server. Check the connection, then try again.'

/** Libraries add more lines, such as the stack or response headers. */
export function describeUpdateError(error: unknown): string {
  const code = systemCodeOf(error)
  if (code === 'ENOSPC') return 'The disk is full. Free disk space, then try again.'
  if (code === 'ENOENT') return 'The downloaded file no longer exists. Check for updates again.'
  // Of Chromium's network and of the system, for programmers.
  if (/^(?:net::|E[A-Z]{3})/.test(messageOf(error))) return unreachable
  const [line = ''] = messageOf(error).split('\n')
  const sentence = line.trim().slice(0, 300)
  return sentence === '' ? unreachable : sentence
}

const CHECK_EVERY_MS = 6 * 60 * 60_000
const FIRST_CHECK_MS = 30_000

/** Unless the setting is off at that time. `after` calls back once. */
export function scheduleChecks(
  setting: () => Settings['updates'],
  check: () => void,
  after: (ms: number, callback: () => void) => void,
): void {
  const run = (): void => {
    if (setting() !== 'off') check()
    after(CHECK_EVERY_MS, run)
  }
  after(FIRST_CHECK_MS, run)
}
