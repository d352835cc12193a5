import { matchesCase, rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import type {
  DesignedRequest,
  RehearsalCase,
  RehearsalKit,
  Variant,
} from '#catalogue/rehearsal/define.ts'
import type {
  CaseResult,
  RehearsalOptions,
  RehearsalProblem,
  RehearsalRequest,
  VariantResult,
} from '#contract/rehearsal.ts'
import { responseJudges, type KeptResponse } from './all-responses.ts'
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
import { steadyClock, type Clock } from '../platform/clock.ts'
import { quoted } from '../platform/posix-quote.ts'
import { quietTime, settled, wait, type Oracle } from './oracle.ts'
import { messageOf } from '#shared/text/errors.ts'

/** A request that was sent, with its response. */
export interface Sent extends Received {
  readonly request: Omit<RehearsalRequest, 'caseId' | 'variant' | 'repetition'>
  readonly response: Omit<KeptResponse, keyof Received | 'caseId' | 'validSignature'>
}

export interface RunnerPorts {
  readonly options: RehearsalOptions
  readonly secret: string | null
  readonly oracle: Oracle | null
  /** Default: the time of this computer. */
  readonly clock?: Clock
  /** Cases that have a result already. */
  readonly done: readonly CaseResult[]
  /** `name` identifies the case and its repetition. */
  kit(name: string): RehearsalKit
  /** Never rejects. */
  send(request: DesignedRequest): Promise<Sent>
  result(result: CaseResult, requests: RehearsalRequest[]): void
  /** Resolves when the run may continue. Rejects when it was cancelled. */
  proceed(): Promise<void>
}

/** A failed variant is repeated this many times. */
const repetitions = 2
/** Of a run that sets none, in milliseconds. The command line has the same. */
const defaultRequestTimeout = 15_000
/** How long a handler may take to respond again after a crash, in milliseconds. */
const recoveryMs = 5000
const recoveryPollMs = 200
/** Without a response, nothing says when the handler has read a request: its effects must not change for this long, in milliseconds. */
const unansweredMs = 1000

/** The cases of a selection, in the order in which they run. */
export function selectCases({
  only,
  skip,
}: Pick<RehearsalOptions, 'only' | 'skip'>): RehearsalCase[] {
  return rehearsalCases.filter(
    ({ id }) =>
      (only.length === 0 || only.some((pattern) => matchesCase(id, pattern))) &&
      !skip.some((pattern) => matchesCase(id, pattern)),
  )
}

/** A URL as one word of a shell. */
function urlWord(url: string): string {
  return /^[A-Za-z0-9:/._-]+$/.test(url) ? url : quoted(url)
}

/** The command that repeats these cases, with the options of the run that its result depends on. */
export function repeatCommand(id: string, options: RehearsalOptions): string {
  const { url, seed, secretOption, accept, acknowledgesFirst, oracle, load, requestTimeout } =
    options
  return [
    `tabscope rehearse --to ${urlWord(url)} --only ${id} --seed ${seed}`,
    secretOption,
    accept.length > 0 && `--accept ${accept.join(',')}`,
    acknowledgesFirst && '--acknowledges-first',
    oracle.kind === 'url' && `--observe ${urlWord(oracle.url)}`,
    oracle.kind === 'command' &&
      `--observe-command ${oracle.command === undefined ? 'COMMAND' : quoted(oracle.command)}`,
    oracle.kind === 'sandbox' && `--observe-sandbox ${oracle.port}`,
    load && '--load',
    requestTimeout !== defaultRequestTimeout && `--timeout ${requestTimeout}ms`,
    options.allowTarget && '--allow-target',
  ]
    .filter(Boolean)
    .join(' ')
}

interface RunVariant extends VariantResult {
  /** False: a request got no response. */
  readonly responded: boolean
  /** Its result is not that of the case. */
  readonly onlyRecorded: boolean
  /** Whether its effects were compared with those of an earlier variant. `without`: neither had any. */
  readonly comparison: 'none' | 'without' | 'with'
  readonly requests: readonly RehearsalRequest[]
}

/**
 * Runs the selected cases one after the other, and reports each result as it ends.
 *
 * @returns why the handler could not be judged, or why the run is incomplete; null if it is complete
 * @throws what `proceed` throws
 */
export async function runCases(ports: RunnerPorts): Promise<RehearsalProblem | null> {
  const { options, oracle, secret, clock = steadyClock } = ports
  const began = clock.now()
  const responses: KeptResponse[] = []
  /** What one effect adds to the number of the oracle. */
  let unit = 1
  /** How long the number of effects must not change before it is judged, in milliseconds. */
  let quietMs: number | undefined
  /** The number of effects, as last read; null: unknown, because of later requests. */
  let effectsNow: number | null = null
  const finished = new Set(ports.done.map(({ id }) => id))
  let judged = ports.done.some(({ result }) => result !== 'skipped')
  const report = (
    definition: RehearsalCase,
    judgement: Judgement,
    details: {
      received: string
      variants: readonly RunVariant[]
      durationMs: number
      /** The cases that are repeated together with it. */
      repeat?: string
    },
  ): void => {
    const { variants, received, durationMs, repeat = definition.id } = details
    if (judgement.result !== 'skipped') judged = true
    ports.result(
      {
        id: definition.id,
        level: definition.level,
        ...judgement,
        sent:
          variants.length > 1
            ? `${definition.title}: ${variants.map(({ name }) => name).join('; ')}`
            : definition.title,
        expected: definition.expected,
        received,
        repeat: repeatCommand(repeat, options),
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
  const skip = (definition: RehearsalCase, reason: string): void =>
    report(definition, { result: 'skipped', reason }, { received: '', variants: [], durationMs: 0 })

  const send = async (
    request: DesignedRequest,
    of: { caseId: string; variant: string; repetition: number },
    requests: RehearsalRequest[],
    kit: RehearsalKit,
  ): Promise<Received> => {
    effectsNow = null
    const sent = await ports.send(request)
    requests.push({ ...of, ...sent.request })
    responses.push(keptResponse(of.caseId, request, sent, kit))
    return sent
  }

  const alive = (kit: RehearsalKit): Promise<Received> => {
    effectsNow = null
    return ports.send(kit.deliver(kit.event()))
  }
  /** The number of effects before a variant. Waits for those of earlier requests, which a handler may process later. */
  const effectsBefore = async (from: Oracle): Promise<number | null> => {
    effectsNow ??=
      (await settledOrNull(from, Number.NEGATIVE_INFINITY, quietMs, clock))?.count ?? null
    return effectsNow
  }
  const effectsAfter = async (
    from: Oracle,
    awaited: number,
    received: readonly Received[] = [],
  ): Promise<number | null> => {
    const responded = received.every(({ status }) => status !== null)
    const quiet = responded ? quietMs : Math.max(quietMs ?? 0, unansweredMs)
    effectsNow = (await settledOrNull(from, awaited, quiet, clock))?.count ?? null
    return effectsNow
  }
  const runVariant = async (
    definition: RehearsalCase,
    variant: Variant,
    kit: RehearsalKit,
    repetition: number,
    deltas: Map<string, number | null>,
  ): Promise<RunVariant> => {
    const requests: RehearsalRequest[] = []
    const of = { caseId: definition.id, variant: variant.name, repetition }
    const observes = oracle !== null && variant.effects !== undefined
    const before = observes ? await effectsBefore(oracle) : null
    const received: Received[][] = []
    for (const step of variant.steps) {
      const together = isList(step) ? step : [step]
      received.push(await Promise.all(together.map((request) => send(request, of, requests, kit))))
    }
    const judgements: Judgement[] = [judgeResponses(variant, received, options)]
    let comparison: RunVariant['comparison'] = 'none'
    const { effects } = variant
    if (effects && 'recorded' in effects) {
      if (observes && before !== null) {
        const after = await effectsAfter(oracle, before, received.flat())
        deltas.set(variant.name, after === null ? null : (after - before) / unit)
      }
    } else if (effects) {
      const expected =
        'exactly' in effects ? effects.exactly : (deltas.get(effects.asVariant) ?? null)
      if (observes && before !== null && expected !== null) {
        const after = await effectsAfter(oracle, before + expected * unit, received.flat())
        const compared = 'asVariant' in effects
        const judge = compared ? judgeSameEffects : judgeEffects
        const judged = judge(expected, unit, before, after)
        if (compared) comparison = expected === 0 ? 'without' : 'with'
        judgements.push(judged)
        // The effect proves what the status of a handler that acknowledges first cannot.
        if (judged.result === 'pass' && judgements[0]?.result === 'review') judgements.shift()
      } else judgements.push(unobserved)
    }
    const level = variant.level ?? definition.level
    const { result, reason } = atLevel(level, worst(judgements) ?? unobserved)
    const shown = received.flat().map(describeReceived)
    return {
      name: variant.name,
      result,
      reason,
      received: summarize(shown),
      onlyRecorded: level === 'INFO' && definition.level !== 'INFO',
      comparison,
      requests,
      responded: received.flat().every(({ status, stopped }) => status !== null || stopped),
    }
  }

  /** Checks with valid deliveries that the handler still responds. Null: it does. */
  const checkAlive = async (
    kit: RehearsalKit,
  ): Promise<{ reason: string; gone: string | null } | null> => {
    // The requests of a cancelled run get no response either.
    await ports.proceed()
    const first = await alive(kit)
    if (isAccepted(first, options)) return null
    let last = first
    const reason = `A valid delivery after it got: ${describeReceived(first)}`
    const until = clock.now() + recoveryMs
    while (clock.now() < until) {
      await wait(clock, recoveryPollMs)
      await ports.proceed()
      last = await alive(kit)
      if (isAccepted(last, options)) return { reason, gone: null }
    }
    const gone = last.status === null ? 'stopped responding' : 'no longer accepts valid deliveries'
    return { reason, gone }
  }

  /** Resolves to what the handler does since this case, if it cannot be judged any longer: "stopped responding". */
  const runCase = async (definition: RehearsalCase): Promise<string | null> => {
    const { id, hostile } = definition
    const start = clock.now()
    const kit = ports.kit(id)
    const variants = definition.variants?.(kit) ?? []
    if (variants.length === 0) {
      skip(definition, definition.skipped ?? 'It does not apply to this run.')
      return null
    }
    const watchesEffects =
      oracle !== null &&
      hostile &&
      variants.every(
        ({ expect, effects }) => (expect === 'reject' || expect === 'refuse') && !effects,
      )
    const before = watchesEffects ? await effectsBefore(oracle) : null
    let expectedEffects = 0
    let gone: string | null = null
    const deltas = new Map<string, number | null>()
    const ran: RunVariant[] = []
    const runOne = async (variant: Variant, withKit: RehearsalKit, repetition: number) => {
      let outcome = await runVariant(definition, variant, withKit, repetition, deltas)
      // Without a check, a handler that has ended would fail each case that follows, after the time limit of each request.
      if (hostile || !outcome.responded) {
        const dead = await checkAlive(withKit)
        if (dead) {
          gone = dead.gone
          const reason = `${outcome.reason ?? ''} ${dead.reason}`.trim()
          outcome = { ...outcome, ...atLevel(definition.level, { result: 'fail', reason }) }
        } else expectedEffects += 1
      }
      return outcome
    }
    for (const variant of variants) {
      await ports.proceed()
      let outcome = await runOne(variant, kit, 0)
      for (
        let again = 1;
        again <= repetitions && outcome.result === 'fail' && gone === null;
        again += 1
      ) {
        const againKit = ports.kit(`${id}:${again}`)
        const same = definition.variants?.(againKit).find(({ name }) => name === variant.name)
        if (!same) break
        // Variants that this one is compared with have run before.
        const next = await runOne(same, againKit, again)
        const requests = [...outcome.requests, ...next.requests]
        outcome =
          next.result === 'fail'
            ? { ...outcome, requests }
            : {
                ...outcome,
                requests,
                result: 'flaky',
                reason: `${outcome.reason ?? ''} Repeated on a new connection, it passed.`.trim(),
              }
      }
      ran.push(outcome)
      if (gone !== null) break
    }
    // A handler need not process every type of event: one comparison with effects is enough.
    const isCompared = ran.some(({ comparison }) => comparison === 'with')
    const counted: Judgement[] = ran.filter(
      ({ onlyRecorded, comparison, result }) =>
        !onlyRecorded && !(isCompared && comparison === 'without' && result === 'review'),
    )
    if (watchesEffects && before !== null && gone === null) {
      const after = await effectsAfter(oracle, before + expectedEffects * unit)
      const effects = judgeEffects(expectedEffects, unit, before, after)
      if (effects.result === 'pass' && options.acknowledgesFirst) {
        counted.splice(0, counted.length, ...ran.filter(({ result }) => result !== 'review'), {
          result: 'pass',
          reason: null,
        })
      } else if (effects.result !== 'pass') {
        counted.push(effects)
      }
    }
    const judgement = worst(counted) ?? unobserved
    const { result, reason } = judgement
    const shown = ran.find((variant) => variant === judgement)
    const durationMs = clock.now() - start
    const received = (shown ?? ran[0])?.received ?? ''
    const named = reason !== null && shown && ran.length > 1 ? `${shown.name}: ${reason}` : reason
    report(definition, { result, reason: named }, { received, variants: ran, durationMs })
    return gone
  }

  const selected = selectCases(options)
  const gate = rehearsalCases.find(({ group }) => group === 'gate')
  if (gate) {
    await ports.proceed()
    const start = clock.now()
    const checked = await runGate(gate, ports, responses)
    if ('problem' in checked) return checked.problem
    unit = checked.unit
    quietMs = checked.quietMs
    if (selected.includes(gate) && !finished.has(gate.id)) {
      const details = { received: checked.received, durationMs: clock.now() - start }
      report(gate, { result: 'pass', reason: null }, { ...details, variants: [] })
    }
  }
  let stopped: string | null = null
  for (const definition of selected) {
    const { id, load, needsSecret } = definition
    if (finished.has(id) || definition === gate) continue
    if (!definition.variants) continue
    await ports.proceed()
    if (stopped === null && clock.now() - began > options.runTimeout) {
      stopped = 'The time limit of the run was reached.'
    }
    if (stopped !== null) skip(definition, stopped)
    else if (load && !options.load) skip(definition, 'Load cases run only with --load.')
    else if (needsSecret && secret === null) skip(definition, 'No secret is configured.')
    else {
      const gone = await runCase(definition)
      if (gone !== null) stopped = `The handler ${gone} after ${id}.`
    }
  }
  for (const definition of selected) {
    if (definition.variants || finished.has(definition.id)) continue
    const judge = responseJudges[definition.id]
    if (!judge) throw new Error(`${definition.id} has neither variants nor a judge`)
    const { received, caseId, ...of } = judge(responses, { ...options, secret })
    // What the handler responded before the interruption is not known here.
    const judgement = ports.done.length > 0 && of.result === 'pass' ? resumed : of
    report(definition, atLevel(definition.level, judgement), {
      received,
      variants: [],
      durationMs: 0,
      // Alone, it would judge only the responses to the first deliveries.
      ...(caseId === undefined ? {} : { repeat: `${caseId},${definition.id}` }),
    })
  }
  if (stopped !== null) return { message: stopped, causes: [] }
  if (judged) return null
  return {
    message: 'No case could be judged.',
    causes: ['See the reason of each case that was skipped.'],
  }
}

const resumed: Judgement = {
  result: 'review',
  reason:
    'Only the responses since the run was resumed were judged. Start a new run to judge all of them.',
}

/** What the cases that judge all responses need of one. */
function keptResponse(
  caseId: string,
  { headers, body }: DesignedRequest,
  { request: _request, response, ...received }: Sent,
  kit: RehearsalKit,
): KeptResponse {
  const signature = kit.sign(body)
  // Whoever has sent the signature knows it.
  const isKnown = headers.some(([, value]) => value === signature)
  return { ...response, ...received, caseId, validSignature: isKnown ? '' : signature }
}

/** Checks that a valid delivery and one with a random signature are told apart, and what one effect adds to the oracle. */
async function runGate(
  gate: RehearsalCase,
  ports: RunnerPorts,
  kept: KeptResponse[],
): Promise<
  { unit: number; quietMs: number | undefined; received: string } | { problem: RehearsalProblem }
> {
  const { oracle, options, clock = steadyClock } = ports
  const received: string[] = []
  let unit = 1
  let quietMs: number | undefined
  const kit = ports.kit(gate.id)
  for (const variant of gate.variants?.(kit) ?? []) {
    let before: number | null = null
    if (oracle) {
      try {
        before = await oracle.read()
      } catch (error) {
        return { problem: { message: messageOf(error), causes: ['Check the oracle.'] } }
      }
    }
    const responses: Sent[] = []
    for (const step of variant.steps) {
      for (const request of isList(step) ? step : [step]) {
        const sent = await ports.send(request)
        responses.push(sent)
        kept.push(keptResponse(gate.id, request, sent, kit))
      }
    }
    received.push(...responses.map(describeReceived))
    const judged = judgeResponses(variant, [responses], options)
    const [first] = responses
    // A server error or a redirect is not a rejection, but it is told apart from what a valid delivery gets. The cases of the signature judge it.
    const isToldApart =
      variant.expect === 'reject' && first?.status != null && !isAccepted(first, options)
    if (judged.result === 'fail' && first && !isToldApart) {
      return { problem: gateProblem(variant, first, options) }
    }
    if (oracle === null || before === null) continue
    const expected = variant.effects && 'exactly' in variant.effects ? variant.effects.exactly : 0
    const seen = await settledOrNull(oracle, before + expected, quietMs, clock)
    const after = seen?.count ?? before
    const change = after - before
    if (expected === 1) {
      unit = change
      quietMs = quietTime(seen?.changedMs ?? 0)
    }
    if (expected === 1 ? change > 0 : change === 0) continue
    return {
      problem: {
        message:
          expected === 1
            ? `The oracle stayed at ${before} after a valid delivery.`
            : `The oracle went from ${before} to ${after} after a delivery with a random signature.`,
        causes:
          expected === 1
            ? [
                options.oracle.kind === 'sandbox'
                  ? `The handler does not call the API at http://127.0.0.1:${options.oracle.port} when an order is placed. Configure it as the base URL of the API, with any access token.`
                  : 'The oracle counts something else than the effects of ORDER_PLACED.',
                'The handler ignores ORDER_PLACED, or takes longer than 5 seconds to process it.',
              ]
            : ['The handler processes deliveries without verifying their signature.'],
      },
    }
  }
  return { unit, quietMs, received: received.join(', ') }
}

/** The most likely causes of a response that makes all other results meaningless. */
function gateProblem(
  variant: Variant,
  response: Sent,
  { url }: RehearsalOptions,
): RehearsalProblem {
  const { status } = response
  const got = describeReceived(response)
  if (variant.expect === 'reject' && status === null) {
    return {
      message: `A delivery with a random signature got no response. ${got}`,
      causes: ['The handler ends, closes the connection or waits when a signature is invalid.'],
    }
  }
  if (variant.expect === 'reject') {
    return {
      message: `A delivery with a random signature got ${got}, as a valid one does.`,
      causes: [
        'The handler does not verify the signature.',
        'It responds before it verifies. Declare that with --acknowledges-first.',
        `${url} is not the webhook handler, but something that responds to everything.`,
      ],
    }
  }
  const message =
    status === null ? `A valid delivery got no response. ${got}` : `A valid delivery got ${got}.`
  if (status === null) {
    return {
      message,
      causes: [
        `The handler does not run, is at another address than ${url}, or does not respond in time.`,
      ],
    }
  }
  if (status >= 300 && status < 400) {
    const to = response.response.location
    return {
      message,
      causes: [
        `The handler is at ${to ?? 'another URL'}. The service does not document redirects: use that URL.`,
      ],
    }
  }
  if (status === 404 || status === 405) {
    return { message, causes: [`The handler is at another path than ${new URL(url).pathname}.`] }
  }
  if (status === 400 || status === 401 || status === 403) {
    return {
      message,
      causes: [
        'The handler uses another secret than this run.',
        'It verifies a parsed body instead of the bytes as received.',
        'It reads another signature header, because of another brand.',
      ],
    }
  }
  return {
    message,
    causes: ['The handler fails on a valid ORDER_PLACED. See its log.'],
  }
}

function isList(
  step: DesignedRequest | readonly DesignedRequest[],
): step is readonly DesignedRequest[] {
  return Array.isArray(step)
}

async function settledOrNull(
  oracle: Oracle,
  awaited: number,
  quietMs: number | undefined,
  clock: Clock,
): Promise<Awaited<ReturnType<typeof settled>> | null> {
  try {
    return await settled(oracle, awaited, quietMs, clock)
  } catch {
    return null
  }
}
