import { createHash } from 'node:crypto'
import type { Run, RunAgent, RunFailureCode } from '#contract/authorization.ts'
import { maskMarker } from '#contract/masks.ts'
import type { TokenView } from '#contract/tokens.ts'
import { AppError, withoutMessage } from '../../platform/errors.ts'
import { openLoopback, type LoopbackPage, type LoopbackVisit } from './agents/loopback.ts'
import { handleVisit, noteOf, openPage, type Note } from './agents/open-page.ts'
import type { LiveRun } from './live-run.ts'
import { prepare, type Prepared, type PreparePorts } from './prepare.ts'
import { isLoopback } from '#shared/text/address.ts'
import { quoteForeign } from '#shared/text/format.ts'
import {
  extraParameters,
  judgeReturn,
  judgeVisit,
  readRedirect,
  redirectParameters,
  type RedirectParameters,
  type RefusedRedirect,
} from './redirect.ts'
import { beginRun, finishRun, type LiveRunPorts } from './runs.ts'
import type { Clock } from '../../platform/clock.ts'
import { RunFailureError } from './failures.ts'
import { handledLater } from '#shared/async/handled-later.ts'
import { maskSecretFields } from '../../platform/masking/secret-fields.ts'
import { probeService } from './service-probe.ts'
import { exchange, exchangeRequest } from './token-client.ts'
import type { TokenOutcome } from './token-response.ts'

/** Of the window: a page that reloads itself must not fill the record. */
const maxPages = 100

class IdleTimeout {
  readonly #clock: Clock
  readonly #timeout: number
  readonly #expired: () => void
  #clear: (() => void) | null = null

  constructor(clock: Clock, timeout: number, expired: () => void) {
    this.#clock = clock
    this.#timeout = timeout
    this.#expired = expired
  }

  /** Starts or restarts the timeout. Returns when it expires, in milliseconds since the epoch. */
  restart(): number {
    this.stop()
    this.#clear = this.#clock.after(this.#timeout, this.#expired)
    return this.#clock.now() + this.#timeout
  }

  stop(): void {
    this.#clear?.()
    this.#clear = null
  }
}

interface FlowPorts extends LiveRunPorts, PreparePorts {
  readonly flows: Set<Flow>
}

export interface FlowOptions {
  readonly integrationId: number
  readonly agent: RunAgent
  readonly redirectUrl: string | undefined
  readonly state: string | undefined
  readonly label: string
  readonly replaces: number | null
  /** Seconds without activity after which the run times out. */
  readonly idleTimeout: number
}

/** A page that opens the redirect URL repeatedly must not fill the record. */
const maxNotes = 10

const tlsNote: Note = {
  code: 'redirect_origin',
  title: 'The redirect URL was opened with https',
  message:
    'A connection with TLS arrived at the port of the redirect URL, which is http. Compare the scheme of the redirect URL with the dashboard.',
}

/** How long closing waits for an exchange, whose response may contain the only token. */
const closeTimeout = 3000

export class Flow {
  readonly options: FlowOptions
  readonly #context: FlowPorts
  readonly #stopped = new AbortController()
  readonly #closing = new AbortController()
  readonly #redirect = Promise.withResolvers<string | null>()
  readonly #over = Promise.withResolvers<void>()
  readonly #closers: (() => Promise<void> | void)[] = []
  #end: { code: RunFailureCode; message: string | undefined } | null = null
  /** `settling`: the exchange has its response, and only the run itself may end it. */
  #phase: 'preparing' | 'waiting' | 'returned' | 'settling' = 'preparing'
  #run: LiveRun | null = null
  #prepared: Prepared | null = null
  readonly #idleTimeout: IdleTimeout
  #pageCount = 0
  #pageFault: string | null = null
  #noteCount = 0
  #lastNote: Note | null = null
  #unanswered: string | null = null

  constructor(context: FlowPorts, options: FlowOptions) {
    this.#context = context
    this.options = options
    this.#idleTimeout = new IdleTimeout(context.clock, options.idleTimeout * 1000, () => {
      void this.#endWithoutRedirect('timed_out')
    })
  }

  get runId(): number | null {
    return this.#run?.id ?? null
  }

  /** Resolves when the flow has ended and closed everything it opened. */
  get over(): Promise<void> {
    return this.#over.promise
  }

  /** Stores the run and continues in the background once the `earlier` flows are over. */
  async begin(earlier: readonly Promise<void>[]): Promise<Run> {
    try {
      const { integrationId, agent, redirectUrl } = this.options
      const run = await beginRun(this.#context, {
        integrationId,
        kind: 'authorize',
        agent,
        redirectUrl: redirectUrl ?? this.#context.integrations.view(integrationId).redirectUrl,
      })
      this.#run = run
      // A later start may already have superseded this one.
      if (this.#end) await run.fail(this.#end.code, this.#end.message)
      void this.#runToEnd(run, earlier)
      return run.view()
    } catch (error) {
      this.#finish()
      throw error
    }
  }

  /** Does nothing if the flow has ended or is settling. Resolves when the end is stored. */
  async end(code: RunFailureCode, message?: string): Promise<void> {
    if (this.#end || this.#phase === 'settling') return
    this.#end = { code, message }
    this.#stopped.abort()
    this.#redirect.resolve(null)
    await this.#run?.fail(code, message)
  }

  /** An exchange in progress is not interrupted. */
  async endWaiting(code: RunFailureCode, message?: string): Promise<void> {
    if (this.#phase === 'preparing' || this.#phase === 'waiting') await this.end(code, message)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.endWaiting('closed')
    const clear = this.#context.clock.after(closeTimeout, () => void this.end('closed'))
    await this.over
    clear()
  }

  /** Throws `bad_input`, `not_ours` or `run_over`. */
  paste(address: string): Run {
    const { run, prepared } = this.#waiting()
    const text = address.trim()
    if (!URL.canParse(text)) {
      throw new AppError(
        'bad_input',
        'This is not a complete URL. Copy all of it from the browser’s address bar, starting at http.',
      )
    }
    // Another address of this machine, which a browser could not load, may be a redirect to the wrong port.
    const judged = isLoopback(new URL(text).hostname)
      ? judgeVisit({ address: text, method: 'GET', form: null }, prepared)
      : judgeReturn(text, prepared)
    if (judged.kind === 'refused' && judged.final) {
      this.#refuse(judged)
      return run.view()
    }
    if (judged.kind === 'unsolicited') {
      this.#note(noteOf(judged))
      throw new AppError(
        'not_ours',
        `${judged.message} This URL does not belong to this authorization, which is still waiting. Copy the URL from the tab in which you approved.`,
      )
    }
    if (judged.kind !== 'ours' || !this.#accept(text)) {
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

  async #runToEnd(run: LiveRun, earlier: readonly Promise<void>[]): Promise<void> {
    try {
      await Promise.all(earlier)
      const prepared = await this.#prepare(run)
      if (!prepared) return
      await this.#open(run, prepared)
      const address = await this.#redirect.promise
      await this.#closeWindow()
      if (address === null) return
      run.set({ state: 'running', acceptsPaste: false, timeoutAt: null })
      await this.#redeem(run, prepared, codeOfRedirect(run, prepared, address))
    } catch (error) {
      if (error instanceof RunFailureError) await run.fail(error.code, error.message)
      else {
        const logId = this.#context.ports.log.error(`run ${run.id} failed`, withoutMessage(error))
        await run.fail('internal', `Something went wrong. See the log entry ${logId}.`)
      }
    } finally {
      if (this.#end) await run.fail(this.#end.code, this.#end.message)
      await run.stored
      finishRun(this.#context, run)
      for (const close of this.#closers.toReversed()) await close()
      this.#finish()
    }
  }

  /** Exchanges a code for a token (API documentation, "Token endpoint"), stores it, and ends the run. A code is never sent twice. */
  async #redeem(run: LiveRun, prepared: Prepared, code: string): Promise<void> {
    const context = this.#context
    const { signal } = this.#stopped
    const hash = createHash('sha256').update(code, 'utf8').digest('hex')
    if (!(await context.store.writer.call('claimCode', { runId: run.id, hash }))) {
      return run.fail('code_used')
    }
    if (signal.aborted) return
    // Saved before the code is sent, so that the record shows the exchange even after a crash.
    void run.save()
    const outcome = await exchange(context, run, exchangeRequest({ ...prepared, code }), signal)
    if (outcome.failure === 'cancelled') return
    run.addFindings(outcome.findings)
    this.#phase = 'settling'
    if (outcome.failure !== null) return run.fail(outcome.failure, outcome.detail)
    const { id, expires } = await this.#keep(run, outcome)
    run.step({
      kind: 'token',
      title: 'Token stored',
      facts: [
        ...facts('token', [String(id)]),
        ...facts('expires', expires === null ? [] : [new Date(expires * 1000).toISOString()]),
      ],
    })
    return run.succeed(id)
  }

  /** The code is used up, so while storage fails the token is kept in memory and the write is retried, until Tabscope closes. */
  #keep(
    run: LiveRun,
    { grant, findings }: Extract<TokenOutcome, { failure: null }>,
  ): Promise<TokenView> {
    const { label, replaces, integrationId } = this.options
    const waiting = (reason: string): void => run.reportUnstored(reason)
    const unstored = { signal: this.#closing.signal, waiting }
    const of = { integrationId, label, replaces, runId: run.id, findings, unstored }
    return this.#context.tokens.keep(grant, of)
  }

  #finish(): void {
    this.#idleTimeout.stop()
    this.#context.flows.delete(this)
    this.#over.resolve()
  }

  async #prepare(run: LiveRun): Promise<Prepared | null> {
    if (this.#end) return null
    const { agent } = this.options
    const prepared = await prepare(this.#context, run, this.options)
    if (this.#end) return null
    if (prepared.served && agent !== 'window') {
      const loopback = await openLoopback(
        prepared.redirectUrl,
        (visit) => this.#visit(prepared, visit),
        () => this.#note(tlsNote),
      )
      this.#closers.push(() => loopback.close())
    }
    return this.#end ? null : prepared
  }

  async #open(run: LiveRun, prepared: Prepared): Promise<void> {
    this.#prepared = prepared
    this.#phase = 'waiting'
    run.set({
      state: 'waiting',
      authorizeUrl: prepared.authorizeUrl,
      acceptsPaste: this.options.agent !== 'window',
      timeoutAt: this.#idleTimeout.restart(),
    })
    const page = await openPage(this.#context, run, this.options.agent, prepared, {
      hop: (url) => this.#pageOpened(run, prepared, url),
      returned: (url) => this.#judge(prepared, url),
      closed: () => void this.#endWithoutRedirect('window_closed'),
      failed: (message) => this.#pageFailed(run, message),
    })
    this.#closers.push(() => page.close())
    const { agent, integrationId } = this.options
    // A window reports itself which page it could not load.
    const isProbed =
      agent !== 'window' && this.#context.integrations.view(integrationId).kind === 'service'
    if (isProbed) handledLater(this.#probe(run, prepared.baseUrl))
    await run.save()
  }

  /** Names a service that does not answer, while the user looks at a page that does not load. */
  async #probe(run: LiveRun, baseUrl: string): Promise<void> {
    const mask = (text: string): string => maskSecretFields(run.masker, text)
    const stop = new AbortController()
    this.#closers.push(() => stop.abort())
    const { outcome, message, requested } = await probeService(
      baseUrl,
      mask,
      this.#context.network,
      stop.signal,
    )
    if (outcome === 'answers' || this.#phase !== 'waiting' || this.#end) return
    this.#unanswered = message
    run.step({
      kind: 'probe',
      outcome: 'note',
      title:
        outcome === 'error' ? 'The service answers with an error' : 'The service does not answer',
      detail: `${message} Tabscope requested ${requested}, without parameters and credentials.`,
    })
  }

  async #closeWindow(): Promise<void> {
    this.#idleTimeout.stop()
    if (this.options.agent === 'window') await this.#closers.pop()?.()
  }

  #endWithoutRedirect(code: 'window_closed' | 'timed_out'): Promise<void> {
    const fault = this.#pageFault ?? this.#unanswered
    if (fault !== null) return this.endWaiting('page_failed', fault)
    const note = this.#lastNote
    return note ? this.endWaiting(note.code, note.message) : this.endWaiting(code)
  }

  #pageOpened(run: LiveRun, prepared: Prepared, url: string): void {
    if (this.#phase !== 'waiting') return
    const judged = judgeReturn(url, prepared)
    if (judged.kind === 'unsolicited') return this.#note(noteOf(judged))
    this.#pageFault = null
    this.#pageCount += 1
    const parsed = URL.parse(url)
    if (this.#pageCount <= maxPages) {
      run.step({
        kind: 'hop',
        title: parsed ? `${parsed.protocol}//${parsed.host}${parsed.pathname}` : 'Page opened',
        facts: [{ name: 'url', value: run.maskUrl(url) }],
      })
    }
    run.set({ timeoutAt: this.#idleTimeout.restart() })
  }

  #pageFailed(run: LiveRun, message: string): void {
    this.#pageFault = message
    this.#pageCount += 1
    if (this.#pageCount > maxPages) return
    run.step({ kind: 'hop', outcome: 'note', title: 'Page could not be loaded', detail: message })
  }

  /** The host has judged the redirect too. */
  #judge(prepared: Prepared, address: string): void {
    const judged = judgeReturn(address, prepared)
    if (judged.kind === 'ours') this.#accept(address)
    else if (judged.kind === 'refused' && judged.final) this.#refuse(judged)
  }

  #refuse({ code, message, facts }: RefusedRedirect): void {
    if (this.#phase !== 'waiting' || this.#end) return
    this.#run?.step({
      kind: 'returned',
      outcome: 'failed',
      title:
        code === 'redirect_post' ? 'Redirected with POST' : 'Redirected to a different address',
      detail: message,
      facts: [...facts],
    })
    void this.end(code, message)
  }

  /** A visit that is not the redirect does not end the run, and none of its values is stored. */
  #note(note: Note): void {
    if (this.#phase !== 'waiting' || this.#end) return
    this.#noteCount += 1
    this.#lastNote = note
    if (this.#noteCount > maxNotes) return
    const last =
      this.#noteCount === maxNotes ? ' Further visits of this kind are not recorded.' : ''
    this.#run?.step({
      kind: 'returned',
      outcome: 'note',
      title: note.title,
      detail: `${note.message} The request was ignored, and the run continues to wait.${last}`,
    })
  }

  #visit(prepared: Prepared, visit: LoopbackVisit): LoopbackPage {
    return handleVisit(visit, prepared, {
      accept: () => this.#accept(visit.address),
      refuse: (refused) => this.#refuse(refused),
      note: (note) => this.#note(note),
    })
  }

  /** Returns false if a redirect was accepted before or the flow no longer waits. */
  #accept(address: string): boolean {
    if (this.#phase !== 'waiting' || this.#end) return false
    this.#phase = 'returned'
    this.#redirect.resolve(address)
    return true
  }
}

function codeOfRedirect(run: LiveRun, prepared: Prepared, address: string): string {
  const parameters = redirectParameters(address)
  // Masked explicitly: a code may be too short for the masker to search for.
  const codes = parameters.codes.map((code) =>
    code === '' ? code : maskMarker(run.masker.hold('code', 'Authorization code', code)),
  )
  const extra = extraParameters(address, prepared.redirectUrl)
  run.step({
    kind: 'returned',
    title: 'Redirect received',
    facts: factsOf({ ...parameters, codes }, extra),
  })
  if (extra.length > 0) {
    run.addFindings([
      {
        code: 'return.extra_parameters',
        severity: 'info',
        location: 'returned',
        message: `The service added parameters that are not in the API documentation: ${quoteForeign(extra.join(', ').slice(0, 500))}.`,
      },
    ])
  }
  const outcome = readRedirect(address, prepared.state)
  const refusedAt = outcome.ok ? null : outcome.at
  const detail = outcome.ok ? null : outcome.message
  run.step({
    kind: 'state',
    outcome: refusedAt === 'state' ? 'failed' : 'ok',
    title: refusedAt === 'state' ? 'State does not match' : 'State matches',
    detail: refusedAt === 'state' ? detail : null,
    facts: [
      { name: 'sent', value: prepared.state },
      ...parameters.states.map((value) => ({ name: 'returned', value })),
    ],
  })
  if (outcome.ok) {
    run.step({ kind: 'code', title: 'Authorization code received' })
    return outcome.code
  }
  if (refusedAt !== 'state') {
    run.step({
      kind: 'code',
      outcome: 'failed',
      title: refusedAt === 'error' ? 'Error received' : 'No usable code received',
      detail,
    })
  }
  throw new RunFailureError(outcome.refusal, outcome.message)
}

function facts(name: string, values: readonly string[]): { name: string; value: string }[] {
  return values.map((value) => ({ name, value }))
}

function factsOf(parameters: RedirectParameters, extra: readonly string[]) {
  return [
    ...facts('code', parameters.codes),
    ...facts('state', parameters.states),
    ...facts('error', parameters.errors),
    ...facts(
      'error_description',
      parameters.errorDescription === null ? [] : [parameters.errorDescription],
    ),
    ...facts('error_uri', parameters.errorUri === null ? [] : [parameters.errorUri]),
    ...facts('not documented', extra),
  ]
}
