import { rehearsalCases, selectFrom } from '#catalogue/rehearsal/cases.ts'
import {
  requestsOf,
  type DesignedRequest,
  type RehearsalCase,
  type RequestBuilder,
  type Variant,
} from '#catalogue/rehearsal/define.ts'
import type {
  CaseResult,
  RehearsalOptions,
  RehearsalProblem,
  RehearsalRequest,
  VariantResult,
} from '#contract/rehearsal.ts'
import { keptResponse, responseJudges, type KeptResponse, type Sent } from './all-responses.ts'
import { EffectCounter, wait, type ReadEffects } from './effect-counter.ts'
import {
  atLevel,
  describeReceived,
  isAccepted,
  judgeEffects,
  judgeResponses,
  judgeSameEffects,
  summarize,
  unobserved,
  worst,
  type Judgement,
  type Received,
} from './judge.ts'
import { withoutQuery } from '#shared/text/address.ts'
import { steadyClock, type Clock } from '../../platform/clock.ts'
import { quoted, urlWord } from '../../platform/posix-quote.ts'
import { runPrecheck, type PrecheckPorts } from './precheck.ts'

export interface RunnerPorts extends PrecheckPorts {
  readonly secret: string | null
  /** Null: the run has no observer. */
  readonly effects: ReadEffects | null
  readonly clock?: Clock
  readonly signal: AbortSignal
  result(result: CaseResult, requests: RehearsalRequest[]): void
}

/** The command line has the same. */
const defaultRequestTimeout = 15_000
/** How long a handler may take to respond again after a crash. */
const recoveryMs = 5000
const recoveryPollMs = 200

/** Repeats these cases, with the options that their result depends on. The user fills in the queries of URLs. */
export function repeatCommand(id: string, options: RehearsalOptions): string {
  const { url, seed, secretOption, accept, acknowledgesFirst, observer, load, requestTimeout } =
    options
  return [
    `tabscope rehearse --to ${urlWord(withoutQuery(url))} --only ${id} --seed ${seed}`,
    secretOption,
    accept.length > 0 && `--accept ${accept.join(',')}`,
    acknowledgesFirst && '--acknowledges-first',
    observer.kind === 'command' && `--observe-command ${quoted(observer.command)}`,
    load && '--load',
    requestTimeout !== defaultRequestTimeout && `--timeout ${requestTimeout}ms`,
    options.allowTarget && '--allow-target',
  ]
    .filter(Boolean)
    .join(' ')
}

/**
 * Reports each result as it ends. Returns why the handler could not be judged, or why the run is incomplete; null if it is complete. Throws the reason of
 * `signal`.
 */
export function runCases(ports: RunnerPorts): Promise<RehearsalProblem | null> {
  return new CaseRunner(ports).run()
}

interface VariantRun extends VariantResult {
  readonly responded: boolean
  readonly accepted: boolean
  readonly onlyRecorded: boolean
  /** Of the effects with those of an earlier variant. `without`: neither had any. */
  readonly comparison: 'none' | 'without' | 'with'
  readonly requests: readonly RehearsalRequest[]
}

interface CaseRun {
  readonly definition: RehearsalCase
  /** Recorded effects by variant; null: unknown. */
  readonly recorded: Map<string, number | null>
  /** Valid deliveries that checked whether the handler still responds. Each has an effect. */
  checks: number
  /** Why the handler cannot be judged since this case: "stopped responding". */
  abortReason: string | null
}

interface Report {
  readonly received: string
  readonly variants: readonly Pick<VariantRun, keyof VariantResult | 'requests'>[]
  readonly durationMs: number
  /** The cases that are repeated together with it. */
  readonly repeat?: string
}

class CaseRunner {
  readonly #ports: RunnerPorts
  readonly #clock: Clock
  readonly #effects: EffectCounter | null
  readonly #responses: KeptResponse[] = []
  #hasJudged = false

  constructor(ports: RunnerPorts) {
    this.#ports = ports
    this.#clock = ports.clock ?? steadyClock
    this.#effects = ports.effects && new EffectCounter(ports.effects, this.#clock)
  }

  async run(): Promise<RehearsalProblem | null> {
    const selected = selectFrom(rehearsalCases, this.#ports.options)
    const startedAt = this.#clock.now()
    const problem = await this.#precheck(selected)
    if (problem) return problem
    const stopped = await this.#runAll(selected, startedAt)
    this.#judgeAllResponses(selected)
    if (stopped !== null) return { message: stopped, causes: [] }
    if (this.#hasJudged) return null
    return {
      message: 'No case could be judged.',
      causes: ['See the reason of each case that was skipped.'],
    }
  }

  async #precheck(selected: readonly RehearsalCase[]): Promise<RehearsalProblem | null> {
    const definition = rehearsalCases.find(isPrecheck)
    if (!definition) return null
    this.#ports.signal.throwIfAborted()
    const startedAt = this.#clock.now()
    const checked = await runPrecheck(definition, this.#ports, this.#effects, this.#responses)
    if ('problem' in checked) return checked.problem
    const { judgement, responded, ...checkedVariants } = checked
    // A failure explains the others, so that it is reported even if the case is not selected.
    if (selected.includes(definition) || judgement.result === 'fail') {
      const durationMs = this.#clock.now() - startedAt
      this.#report(definition, judgement, { ...checkedVariants, durationMs })
    }
    // Each case with a forged delivery would wait for the time limit.
    if (responded) return null
    return {
      message: 'The handler did not respond to a delivery with a random signature.',
      causes: [],
    }
  }

  async #runAll(selected: readonly RehearsalCase[], startedAt: number): Promise<string | null> {
    const { options, secret, signal } = this.#ports
    let stopped: string | null = null
    for (const definition of selected) {
      const { id, load, needsSecret } = definition
      if (isPrecheck(definition) || !definition.variants) continue
      signal.throwIfAborted()
      if (stopped === null && this.#clock.now() - startedAt > options.runTimeout) {
        stopped = 'The time limit of the run was reached.'
      }
      if (stopped !== null) this.#skip(definition, stopped)
      else if (load && !options.load)
        this.#skip(
          definition,
          'Cases with load run only with --load, or with "Run cases with load" in the app.',
        )
      else if (needsSecret && secret === null) this.#skip(definition, 'No secret is configured.')
      else {
        const abortReason = await this.#runCase(definition)
        if (abortReason !== null) stopped = `The handler ${abortReason} after ${id}.`
      }
    }
    return stopped
  }

  #judgeAllResponses(selected: readonly RehearsalCase[]): void {
    const { options, secret } = this.#ports
    for (const definition of selected) {
      if (definition.variants) continue
      const judge = responseJudges[definition.id]
      if (!judge) throw new Error(`${definition.id} has neither variants nor a judge`)
      const { received, caseId, ...judgement } = judge(this.#responses, { ...options, secret })
      this.#report(definition, atLevel(definition.level, judgement), {
        received,
        variants: [],
        durationMs: 0,
        // Alone, it would judge only the responses to the first deliveries.
        ...(caseId === undefined ? {} : { repeat: `${caseId},${definition.id}` }),
      })
    }
  }

  async #runCase(definition: RehearsalCase): Promise<string | null> {
    const startedAt = this.#clock.now()
    const builder = this.#ports.builder(definition.id)
    const variants = definition.variants?.(builder) ?? []
    if (variants.length === 0) {
      this.#skip(definition, definition.skipped ?? 'It does not apply to this run.')
      return null
    }
    const effects = isWithoutEffects(definition, variants) ? this.#effects : null
    const before = (await effects?.before()) ?? null
    const run: CaseRun = { definition, recorded: new Map(), checks: 0, abortReason: null }
    const ran: VariantRun[] = []
    for (const variant of variants) {
      this.#ports.signal.throwIfAborted()
      ran.push(await this.#runRepeatedly(run, variant, builder))
      if (run.abortReason !== null) break
    }
    let judgements = judgementsOf(ran)
    if (effects && before !== null && run.abortReason === null) {
      const after = await effects.after(before + run.checks)
      const judged = judgeEffects(run.checks, before, after)
      if (judged.result !== 'pass') judgements.push(judged)
      // The effects prove what the statuses of a handler that acknowledges first cannot.
      else if (this.#ports.options.acknowledgesFirst) {
        judgements = [...ran.filter(({ result }) => result !== 'review'), judged]
      }
    }
    const judgement = worst(judgements) ?? unobserved
    const { result, reason } = judgement
    const decisive = ran.find((variant) => variant === judgement)
    const named =
      reason !== null && decisive && ran.length > 1 ? `${decisive.name}: ${reason}` : reason
    this.#report(
      definition,
      { result, reason: named },
      {
        received: definition.growing ? largestOf(ran) : ((decisive ?? ran[0])?.received ?? ''),
        variants: ran,
        durationMs: this.#clock.now() - startedAt,
      },
    )
    return run.abortReason
  }

  /** Repeats a variant that fails, on new connections: one that then passes is flaky. */
  async #runRepeatedly(
    run: CaseRun,
    variant: Variant,
    builder: RequestBuilder,
  ): Promise<VariantRun> {
    const { definition } = run
    const first = await this.#runChecked(run, variant, builder, 0)
    if (first.result !== 'fail' || run.abortReason !== null) return first
    const nextBuilder = this.#ports.builder(`${definition.id}:1`)
    const same = definition.variants?.(nextBuilder).find(({ name }) => name === variant.name)
    if (!same) return first
    const next = await this.#runChecked(run, same, nextBuilder, 1)
    const requests = [...first.requests, ...next.requests]
    if (next.result === 'fail') return { ...first, requests }
    const reason = `${first.reason ?? ''} Repeated on a new connection, it passed.`.trim()
    return { ...first, requests, result: 'flaky', reason }
  }

  async #runChecked(
    run: CaseRun,
    variant: Variant,
    builder: RequestBuilder,
    repetition: number,
  ): Promise<VariantRun> {
    const { definition } = run
    const outcome = await this.#runVariant(run, variant, builder, repetition)
    // Without a check, a handler that has ended would fail each case that follows, after the time limit of each request.
    if (!definition.hostile && outcome.responded) return outcome
    const dead = await this.#checkAlive(builder)
    if (!dead) {
      run.checks += 1
      return outcome
    }
    run.abortReason = dead.abortReason
    const reason = `${outcome.reason ?? ''} ${dead.reason}`.trim()
    return { ...outcome, ...atLevel(definition.level, { result: 'fail', reason }) }
  }

  async #runVariant(
    run: CaseRun,
    variant: Variant,
    builder: RequestBuilder,
    repetition: number,
  ): Promise<VariantRun> {
    const { definition } = run
    const requests: RehearsalRequest[] = []
    const before = variant.effects ? ((await this.#effects?.before()) ?? null) : null
    const received: Received[][] = []
    for (const step of variant.steps) {
      const responses = requestsOf(step).map(async (request) => {
        const sent = await this.#send(request)
        requests.push({ caseId: definition.id, variant: variant.name, repetition, ...sent.request })
        this.#responses.push(keptResponse(definition.id, request, sent, builder))
        return sent
      })
      received.push(await Promise.all(responses))
    }
    const ofResponses = judgeResponses(variant, received, this.#ports.options)
    const effects = await this.#judgeEffects(run, variant, before)
    const judgements = effects.judgement ? [ofResponses, effects.judgement] : [ofResponses]
    // The effect proves what the status of a handler that acknowledges first cannot.
    if (effects.judgement?.result === 'pass' && ofResponses.result === 'review') judgements.shift()
    // A rejected method is proof enough, as the handler does not see the request.
    if (variant.expect === 'not-allowed' && effects.judgement === unobserved) judgements.pop()
    const level = variant.level ?? definition.level
    return {
      name: variant.name,
      ...atLevel(level, worst(judgements) ?? unobserved),
      received: summarize(received.flat().map(describeReceived)),
      onlyRecorded: level === 'INFO' && definition.level !== 'INFO',
      comparison: effects.comparison,
      requests,
      responded: received.flat().every(({ status, stopped }) => status !== null || stopped),
      accepted: received.flat().every((each) => isAccepted(each, this.#ports.options)),
    }
  }

  /** Judges or records the effects of a variant. `before`: the number before it; null: it is not known. */
  async #judgeEffects(
    { recorded }: CaseRun,
    { name, effects }: Variant,
    before: number | null,
  ): Promise<{ judgement: Judgement | null; comparison: VariantRun['comparison'] }> {
    const counter = before === null ? null : this.#effects
    if (effects === undefined) return { judgement: null, comparison: 'none' }
    if ('recorded' in effects) {
      if (counter && before !== null) {
        const after = await counter.after(before)
        recorded.set(name, after === null ? null : after - before)
      }
      return { judgement: null, comparison: 'none' }
    }
    const isCompared = 'asVariant' in effects
    const expected = isCompared ? (recorded.get(effects.asVariant) ?? null) : effects.exactly
    if (!counter || before === null || expected === null) {
      return { judgement: unobserved, comparison: 'none' }
    }
    const after = await counter.after(before + expected)
    const judge = isCompared ? judgeSameEffects : judgeEffects
    return {
      judgement: judge(expected, before, after),
      comparison: !isCompared ? 'none' : expected === 0 ? 'without' : 'with',
    }
  }

  async #checkAlive(
    builder: RequestBuilder,
  ): Promise<{ reason: string; abortReason: string | null } | null> {
    const { options, signal } = this.#ports
    const check = (): Promise<Received> => {
      // The requests of a cancelled run get no response either.
      signal.throwIfAborted()
      return this.#send(builder.deliver(builder.event()))
    }
    const first = await check()
    if (isAccepted(first, options)) return null
    let last = first
    const reason = `A valid delivery after it got: ${describeReceived(first)}`
    const until = this.#clock.now() + recoveryMs
    while (this.#clock.now() < until) {
      await wait(this.#clock, recoveryPollMs)
      last = await check()
      if (isAccepted(last, options)) return { reason, abortReason: null }
    }
    const abortReason =
      last.status === null ? 'stopped responding' : 'no longer accepts valid deliveries'
    return { reason, abortReason }
  }

  #send(request: DesignedRequest): Promise<Sent> {
    this.#effects?.requestSent()
    return this.#ports.send(request)
  }

  #skip(definition: RehearsalCase, reason: string): void {
    const judgement = { result: 'skipped' as const, reason }
    this.#report(definition, judgement, { received: '', variants: [], durationMs: 0 })
  }

  #report(
    { id, level, title, expected }: RehearsalCase,
    judgement: Judgement,
    { received, variants, durationMs, repeat = id }: Report,
  ): void {
    if (judgement.result !== 'skipped') this.#hasJudged = true
    const names = variants.map(({ name }) => name).join('; ')
    this.#ports.result(
      {
        id,
        level,
        ...judgement,
        sent: variants.length > 1 ? `${title}: ${names}` : title,
        expected,
        received,
        repeat: repeatCommand(repeat, this.#ports.options),
        variants: variants.map(({ name, result, received: of, reason }) => ({
          name,
          result,
          received: of,
          reason,
        })),
        durationMs,
      },
      variants.flatMap(({ requests }) => requests),
    )
  }
}

function largestOf(ran: readonly VariantRun[]): string {
  const accepted = ran.findLast((each) => each.accepted)
  const refused = ran.findLast((each) => !each.accepted)
  return [
    `largest accepted: ${accepted?.name ?? 'none'}`,
    ...(refused ? [`largest not accepted: ${refused.name} (${refused.received})`] : []),
  ].join(', ')
}

function isPrecheck({ group }: RehearsalCase): boolean {
  return group === 'precheck'
}

/** The handler must reject all requests of such a case. */
function isWithoutEffects({ hostile }: RehearsalCase, variants: readonly Variant[]): boolean {
  return (
    hostile === true &&
    variants.every(
      ({ expect, effects }) => (expect === 'reject' || expect === 'refuse') && !effects,
    )
  )
}

function judgementsOf(ran: readonly VariantRun[]): Judgement[] {
  // A handler need not process every type of event: one comparison with effects is enough.
  const isCompared = ran.some(({ comparison }) => comparison === 'with')
  return ran.filter(
    ({ onlyRecorded, comparison, result }) =>
      !onlyRecorded && !(isCompared && comparison === 'without' && result === 'review'),
  )
}
