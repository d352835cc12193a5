import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  constants,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
} from 'node:fs'
import { release, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { eventTypes } from '#catalogue/catalogue.ts'
import type { CliLine } from '#contract/cli-output.ts'
import type { Engine } from '#engine/app/engine.ts'
import type { SecretBox } from '#engine/platform/ports.ts'
import { messageOf } from '#shared/text/errors.ts'
import { crashFolder, defaultDataDir, logFileIn } from '../data-dir.ts'

type Check = { event: 'check' } & CliLine<'check'>
export type SelfCheckLine = Check | ({ event: 'verdict' } & CliLine<'verdict'>)

type Work = (signal: AbortSignal) => Promise<string | null> | string | null

interface CheckedHost {
  readonly secrets: SecretBox
  protection(): Promise<string | null>
  openEngine(): Promise<Pick<Engine, 'call'>>
  checkHost(deliveryId: number): Promise<void>
  closeEngine(): Promise<void>
}

/** Finds what does not work on this machine, with a temporary data folder. One check after the other; one that fails does not stop the others. */
export class SelfCheck {
  readonly dataDir = mkdtempSync(path.join(tmpdir(), 'tabscope-self-check-'))
  /** Absolute; null: no report is written. */
  readonly folder: string | null
  readonly #print: (line: SelfCheckLine) => void
  readonly #timeoutMs: number
  readonly #count = { passed: 0, failed: 0, skipped: 0 }
  #isOver = false

  /** Throws the system's error if the folders cannot be created. */
  constructor(print: (line: SelfCheckLine) => void, folder: string | null, timeoutMs = 60_000) {
    this.#print = print
    this.#timeoutMs = timeoutMs
    this.folder = folder
    if (folder === null) return
    mkdirSync(folder, { recursive: true })
    // Also links of others, which would be followed.
    for (const name of ['self-check.jsonl', 'tabscope.log', 'window.png'])
      rmSync(path.join(folder, name), { force: true })
  }

  async check(name: string, work: Work): Promise<void> {
    const startedAt = performance.now()
    const signal = AbortSignal.timeout(this.#timeoutMs)
    const timeout = new Promise<never>((_resolve, reject) => {
      const text = `The check did not finish within ${this.#timeoutMs / 1000} seconds.`
      signal.addEventListener('abort', () => reject(new Error(text)))
    })
    const end = (status: 'passed' | 'failed', detail: string | null): void =>
      this.report(name, status, detail, Math.round(performance.now() - startedAt))
    try {
      end('passed', await Promise.race([work(signal), timeout]))
    } catch (error) {
      end('failed', messageOf(error))
    }
  }

  report(check: string, status: Check['status'], detail: string | null, durationMs = 0): void {
    this.#count[status] += 1
    this.#write({ event: 'check', check, status, durationMs, detail })
  }

  async run({ secrets, ...host }: CheckedHost): Promise<void> {
    await this.check('secrets', async () => {
      const clear = randomBytes(16).toString('hex')
      const unsealed = await secrets.unseal(await secrets.seal(clear))
      if (unsealed !== clear) throw new Error('Unsealing returned a different value.')
      return host.protection()
    })
    let engine: Pick<Engine, 'call'> | null = null
    await this.check('engine', async () => {
      engine = await host.openEngine()
      return null
    })
    const id = engine && (await this.#checkEngine(engine))
    if (id !== null) await host.checkHost(id)
    await this.check('crash-reports', () => {
      // They contain parts of the memory, so they are listed, not copied.
      const folder = crashFolder(logFileIn(defaultDataDir()))
      const files = globSync('**/*.dmp', { cwd: folder }).toSorted()
      return files.length === 0 ? 'none' : `${files.length} in ${folder}: ${files.join(', ')}`
    })
    if (engine === null) return
    await this.check('close', async () => {
      await host.closeEngine()
      return null
    })
  }

  /** From the listener to the store, and from there back to the listener. Resolves to the ID of a delivery; null if there is none. */
  async #checkEngine({ call }: Pick<Engine, 'call'>): Promise<number | null> {
    let id: number | null = null
    await this.check('listener', async (signal) => {
      // Nothing is sent to other machines.
      await call('settings.update', { updates: 'off' })
      return waitFor(signal, async () => {
        const { listener } = await call('app.snapshot', {})
        if (listener.state === 'failed') throw new Error(listener.message)
        return listener.state === 'listening' ? listener.origin : null
      })
    })
    await this.check('delivery', async (signal) => {
      const { integrations } = await call('app.snapshot', {})
      const { id: endpointId } = await call('endpoints.create', {
        name: 'Self-check',
        integrationId: integrations[0]?.id ?? -1,
        slug: 'self-check',
        secret: randomBytes(24).toString('base64'),
        applicationId: '',
        customHeaders: [],
      })
      await call('sandbox.send', { endpointId, types: [eventTypes[0]?.type ?? ''] })
      const row = await waitFor(signal, async () => {
        const page = { log: null, upTo: null, offset: 0, limit: 1 }
        return (await call('deliveries.page', page)).rows[0] ?? null
      })
      id = row.id
      if (row.verdict !== 'valid') throw new Error(`The signature verdict is "${row.verdict}".`)
      return `${row.type}, signature valid`
    })
    if (id === null) return null
    const deliveryId = id
    await this.check('resend', async () => {
      const { status, error } = await call('deliveries.resend', { id: deliveryId })
      if (error !== null) throw new Error(error.message)
      return `The listener returned ${status}.`
    })
    return deliveryId
  }

  /** Returns the exit code. What happens later is not reported. */
  finish(facts: Partial<CliLine<'verdict'>>, env: NodeJS.ProcessEnv = process.env): 0 | 1 {
    const isPassed = this.#count.failed === 0
    const verdict = isPassed ? 'passed' : 'failed'
    const durationMs = Math.round(performance.now())
    const system = `${process.platform} ${release()} ${process.arch}`
    this.#write({ event: 'verdict', verdict, ...this.#count, durationMs, ...facts, system })
    this.#isOver = true
    const log = logFileIn(this.dataDir, process.platform, env)
    if (this.folder !== null && existsSync(log))
      copyFileSync(log, path.join(this.folder, 'tabscope.log'), constants.COPYFILE_EXCL)
    try {
      rmSync(this.dataDir, { recursive: true, force: true })
    } catch {
      // On Windows Chromium still has files open there. The system deletes temporary files itself.
    }
    return isPassed ? 0 : 1
  }

  #write(line: SelfCheckLine): void {
    if (this.#isOver) return
    this.#print(line)
    if (this.folder === null) return
    appendFileSync(path.join(this.folder, 'self-check.jsonl'), `${JSON.stringify(line)}\n`)
  }
}

/** Null: not yet. Rejects when `signal` is aborted. */
export async function waitFor<T>(
  signal: AbortSignal,
  read: () => Promise<T | null> | T | null,
): Promise<T> {
  for (;;) {
    const found = await read()
    if (found !== null) return found
    await delay(50, undefined, { signal })
  }
}
