import type { Run, RunAgent, RunFailureCode } from '#contract/authorization.ts'
import { AppError } from '../platform/errors.ts'
import { LoopbackFailure, openLoopback } from './agents/loopback.ts'
import type { LoopbackPage } from './agents/loopback-page.ts'
import { visited, openPage } from './agents/open-page.ts'
import type { LiveRun } from './live-run.ts'
import { prepare, type Prepared, type PreparePorts } from './prepare.ts'
import { readBack } from './read-back.ts'
import { redeem } from './redeem.ts'
import { judgeReturn } from './redirect.ts'
import { beginRun, ended, type LiveRunPorts } from './runs.ts'
import type { StateRefusal } from './authorize-url.ts'
import type { Clock } from '../platform/clock.ts'

/** Steps of one run that tell where the window goes: a page that reloads itself must not fill the record. */
const most = 100

/** What a window of ours meets on the way, as steps of the run. */
class Hops {
  readonly #run: LiveRun
  #count = 0
  #fault: string | null = null

  constructor(run: LiveRun) {
    this.#run = run
  }

  /** Why the page that is shown could not be loaded, as a sentence; null when it could. */
  get fault(): string | null {
    return this.#fault
  }

  to(url: string): void {
    this.#fault = null
    this.#count += 1
    if (this.#count > most) return
    const at = URL.parse(url)
    this.#run.step({
      kind: 'hop',
      title: at ? `${at.protocol}//${at.host}${at.pathname}` : 'A page',
      facts: [{ name: 'url', value: this.#run.maskUrl(url) }],
    })
  }

  failed(message: string): void {
    this.#fault = message
    this.#count += 1
    if (this.#count > most) return
    this.#run.step({
      kind: 'hop',
      outcome: 'note',
      title: 'A page could not be shown',
      detail: message,
    })
  }
}

/** Calls back once when nothing was heard for as long as it bears. */
class IdleTimeout {
  readonly #clock: Clock
  readonly #patience: number
  readonly #over: () => void
  #callOff: (() => void) | null = null

  /** `patience` in milliseconds. */
  constructor(clock: Clock, patience: number, over: () => void) {
    this.#clock = clock
    this.#patience = patience
    this.#over = over
  }

  /** Something was heard: it begins anew. Returns when it will be over, in milliseconds since the epoch. */
  begin(): number {
    this.end()
    this.#callOff = this.#clock.after(this.#patience, this.#over)
    return this.#clock.now() + this.#patience
  }

  end(): void {
    this.#callOff?.()
    this.#callOff = null
  }
}

/** What an authorization needs of the engine. */
interface FlowPorts extends LiveRunPorts, PreparePorts {
  /** Those that are running. */
  readonly flows: Set<Flow>
}

export interface FlowOptions {
  readonly integrationId: number
  readonly agent: RunAgent
  readonly redirectUrl: string | undefined
  readonly state: string | undefined
  readonly label: string
  readonly replaces: number | null
  /** Seconds of silence. */
  readonly patience: number
}

/** Visits without the right state that one run notes: a page that opens the redirect URL again and again must not fill the record. */
const unsolicitedNotes = 10

/** An exchange that is under way when Tabscope closes has so many milliseconds left: its answer may hold the only token. */
const closingPatience = 3000

/** One run of the authorization code flow, from start to end. */
export class Flow {
  readonly wish: FlowOptions
  readonly #context: FlowPorts
  readonly #stopped = new AbortController()
  readonly #closing = new AbortController()
  readonly #way = Promise.withResolvers<string | null>()
  readonly #over = Promise.withResolvers<void>()
  readonly #closers: (() => Promise<void> | void)[] = []
  #end: { readonly code: RunFailureCode; readonly message: string | undefined } | null = null
  /** `settling`: the answer of the exchange is there, and nothing else ends the run any more. */
  #phase: 'preparing' | 'waiting' | 'returned' | 'settling' = 'preparing'
  #run: LiveRun | null = null
  #prepared: Prepared | null = null
  readonly #silence: IdleTimeout
  #hops: Hops | null = null
  #unsolicited: {
    readonly count: number
    readonly code: StateRefusal
    readonly message: string
  } | null = null

  constructor(context: FlowPorts, wish: FlowOptions) {
    this.#context = context
    this.wish = wish
    this.#silence = new IdleTimeout(context.clock, wish.patience * 1000, () => {
      void this.#endUnseen('timed_out')
    })
  }

  get runId(): number | null {
    return this.#run?.id ?? null
  }

  /** Resolves when it is over, and all that it had opened is closed. */
  get over(): Promise<void> {
    return this.#over.promise
  }

  /** Writes the run's row and goes on by itself, once `before` are over. */
  async begin(before: readonly Promise<void>[]): Promise<Run> {
    try {
      const { integrationId, agent, redirectUrl } = this.wish
      const run = await beginRun(this.#context, {
        integrationId,
        kind: 'authorize',
        agent,
        redirectUrl: redirectUrl ?? this.#context.integrations.view(integrationId).redirectUrl,
      })
      this.#run = run
      // A start that came right after this one may have taken its place already.
      if (this.#end) await run.fail(this.#end.code, this.#end.message)
      void this.#go(run, before)
      return run.view()
    } catch (error) {
      this.#leave()
      throw error
    }
  }

  /** Ends it from outside; what is settled already stays as it is. Resolves when the end is stored. */
  async end(code: RunFailureCode, message?: string): Promise<void> {
    if (this.#end || this.#phase === 'settling') return
    this.#end = { code, message }
    this.#stopped.abort()
    this.#way.resolve(null)
    await this.#run?.fail(code, message)
  }

  /** Ends it only while it still waits: an exchange that is under way is left alone. */
  async endWaiting(code: RunFailureCode, message?: string): Promise<void> {
    if (this.#phase === 'preparing' || this.#phase === 'waiting') await this.end(code, message)
  }

  /** Tabscope closes: what waits ends at once, an exchange soon. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.endWaiting('closed')
    const callOff = this.#context.clock.after(closingPatience, () => void this.end('closed'))
    await this.over
    callOff()
  }

  /** Takes the address that the user landed on. Throws `bad_input`, `not_ours`, `run_over`. */
  paste(address: string): Run {
    const { run, prepared } = this.#waiting()
    const text = address.trim()
    if (!URL.canParse(text)) {
      throw new AppError(
        'bad_input',
        'This is not a complete URL. Copy all of it from the browser’s address bar, starting at http.',
      )
    }
    const judged = judgeReturn(text, prepared)
    if (judged.kind === 'refused' && judged.final) {
      this.#refuse(judged.code, judged.message)
      return run.view()
    }
    if (judged.kind === 'unsolicited') {
      this.#note(judged.code, judged.message)
      throw new AppError(
        'not_ours',
        `${judged.message} This URL does not belong to this authorization, which is still waiting. Copy the URL from the tab in which you approved.`,
      )
    }
    if (judged.kind !== 'ours' || !this.#return(text)) {
      throw new AppError(
        'not_ours',
        judged.kind === 'refused'
          ? judged.message
          : `This is not the redirect URL, ${prepared.redirectUrl}. Copy the address that the browser shows after you approved.`,
      )
    }
    return run.view()
  }

  #waiting(): { run: LiveRun; prepared: Prepared } {
    if (this.#phase !== 'waiting' || this.#end || !this.#run || !this.#prepared) {
      throw new AppError('run_over', 'No authorization is waiting for a URL. Authorize again.')
    }
    return { run: this.#run, prepared: this.#prepared }
  }

  async #go(run: LiveRun, before: readonly Promise<void>[]): Promise<void> {
    try {
      await Promise.all(before)
      const prepared = await this.#prepare(run)
      if (!prepared) return
      await this.#open(run, prepared)
      const address = await this.#way.promise
      await this.#closeWindow()
      if (address === null) return
      run.set({ state: 'running', takesPaste: false, waitsUntil: null })
      const back = readBack(run, prepared, address)
      if (!back.ok) return await run.fail(back.refusal, back.message)
      const { label, replaces } = this.wish
      await redeem(this.#context, run, prepared, {
        code: back.code,
        label,
        replaces,
        signal: this.#stopped.signal,
        closing: this.#closing.signal,
        granted: () => {
          this.#phase = 'settling'
        },
      })
    } catch (error) {
      const logId = this.#context.ports.log.error(`run ${run.id} broke off`, nameOf(error))
      await run.fail('internal', `Something went wrong. See the log entry ${logId}.`)
    } finally {
      if (this.#end) await run.fail(this.#end.code, this.#end.message)
      await run.stored
      ended(this.#context, run)
      for (const close of this.#closers.toReversed()) await close()
      this.#leave()
    }
  }

  #leave(): void {
    this.#silence.end()
    this.#context.flows.delete(this)
    this.#over.resolve()
  }

  async #prepare(run: LiveRun): Promise<Prepared | null> {
    if (this.#end) return null
    const { agent } = this.wish
    const preparation = await prepare(this.#context, run, this.wish)
    if (this.#end) return null
    if (!preparation.ok) {
      await run.fail(preparation.code, preparation.message)
      return null
    }
    const { prepared } = preparation
    if (prepared.served && agent !== 'window') {
      try {
        const loopback = await openLoopback(prepared.redirectUrl, (at) => this.#visit(prepared, at))
        this.#closers.push(() => loopback.close())
      } catch (error) {
        if (!(error instanceof LoopbackFailure)) throw error
        await run.fail(error.code, error.message)
        return null
      }
    }
    return this.#end ? null : prepared
  }

  async #open(run: LiveRun, prepared: Prepared): Promise<void> {
    this.#prepared = prepared
    this.#phase = 'waiting'
    run.set({
      state: 'waiting',
      authorizeUrl: prepared.authorizeUrl,
      takesPaste: this.wish.agent !== 'window',
      waitsUntil: this.#silence.begin(),
    })
    const hops = new Hops(run)
    this.#hops = hops
    const page = await openPage(this.#context, run, this.wish.agent, prepared, {
      hop: (url) => this.#hop(run, hops, prepared, url),
      returned: (url) => this.#judge(prepared, url),
      closed: () => void this.#endUnseen('window_closed'),
      failed: (message) => hops.failed(message),
    })
    this.#closers.push(() => page.close())
    await run.save()
  }

  async #closeWindow(): Promise<void> {
    this.#silence.end()
    if (this.wish.agent === 'window') await this.#closers.pop()?.()
  }

  /** Nobody came back; when the page was never there, or what came had not the right state, that is why. */
  #endUnseen(code: 'window_closed' | 'timed_out'): Promise<void> {
    const fault = this.#hops?.fault ?? null
    if (fault !== null) return this.endWaiting('page_failed', fault)
    const unsolicited = this.#unsolicited
    return unsolicited
      ? this.endWaiting(unsolicited.code, unsolicited.message)
      : this.endWaiting(code)
  }

  #hop(run: LiveRun, hops: Hops, prepared: Prepared, url: string): void {
    if (this.#phase !== 'waiting') return
    const judged = judgeReturn(url, prepared)
    if (judged.kind === 'unsolicited') return this.#note(judged.code, judged.message)
    hops.to(url)
    run.set({ waitsUntil: this.#silence.begin() })
  }

  /** The window's way back, which the host has judged as well. */
  #judge(prepared: Prepared, address: string): void {
    const judged = judgeReturn(address, prepared)
    if (judged.kind === 'ours') this.#return(address)
    else if (judged.kind === 'refused' && judged.final) this.#refuse(judged.code, judged.message)
  }

  #refuse(code: RunFailureCode, message: string): void {
    if (this.#phase !== 'waiting' || this.#end) return
    this.#run?.step({
      kind: 'returned',
      outcome: 'failed',
      title: 'Redirected elsewhere',
      detail: message,
    })
    void this.end(code, message)
  }

  /** Notes a visit of the redirect URL without the right state: it ends nothing, and none of its values is kept. */
  #note(code: StateRefusal, message: string): void {
    if (this.#phase !== 'waiting' || this.#end) return
    const count = (this.#unsolicited?.count ?? 0) + 1
    this.#unsolicited = { count, code, message }
    if (count > unsolicitedNotes) return
    const last =
      count === unsolicitedNotes ? ' More visits of this kind are not recorded in this run.' : ''
    this.#run?.step({
      kind: 'returned',
      outcome: 'note',
      title: 'The redirect URL was opened without the right state',
      detail: `${message} The request was ignored, and the run keeps waiting.${last}`,
    })
  }

  #visit(prepared: Prepared, address: string): LoopbackPage {
    return visited(address, prepared, {
      take: () => this.#return(address),
      refuse: (code, message) => this.#refuse(code, message),
      note: (code, message) => this.#note(code, message),
    })
  }

  /** True for the first address alone: what comes after it changes nothing. */
  #return(address: string): boolean {
    if (this.#phase !== 'waiting' || this.#end) return false
    this.#phase = 'returned'
    this.#way.resolve(address)
    return true
  }
}

/** An error's text may quote what was sent: its name and place are enough to find it. */
function nameOf(error: unknown): string {
  return error instanceof Error
    ? `${error.name}\n${
        error.stack
          ?.split('\n')
          .filter((line) => /^\s+at /.test(line))
          .join('\n') ?? ''
      }`
    : typeof error
}
