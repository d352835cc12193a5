import { selectFrom } from '#catalogue/rehearsal/cases.ts'
import type { OAuthCase } from '#catalogue/rehearsal/define.ts'
import { oauthCases } from '#catalogue/rehearsal/oauth-cases.ts'
import { oauthTimes } from '#contract/constants.ts'
import type {
  CaseResult,
  OAuthOptions,
  RehearsalOptions,
  RehearsalProblem,
  RehearsalRequest,
  VariantResult,
} from '#contract/rehearsal.ts'
import { withoutQuery } from '#shared/text/address.ts'
import { worst } from '../judge.ts'
import { urlWord } from '../../../platform/posix-quote.ts'
import type { Redact } from '../../../platform/masking/redact.ts'
import { countCalls, scenarios, type Facts, type Outcome, type Scenario } from './scenarios.ts'
import type { ClientRequest } from './server.ts'
import type { Stage } from './stage.ts'

export interface OAuthRunnerPorts {
  readonly options: RehearsalOptions & { readonly oauth: OAuthOptions }
  readonly stage: Stage
  readonly accessSecret: string
  readonly redact: Redact
  result(result: CaseResult, requests: RehearsalRequest[]): void
  readonly signal: AbortSignal
}

/** Cases that judge requests of flows that had no exchange. */
const withoutExchange = new Set(['O1', 'O2', 'O7'])

/** Repeats one case with a client that is configured for the same server. The user fills in the queries of URLs. */
export function repeatOAuthCommand(
  id: string,
  { oauth, secretOption, allowTarget }: RehearsalOptions & { oauth: OAuthOptions },
): string {
  const { startUrl, callUrl, redirectUrl, port, accessId, flowTimeout, watchTime } = oauth
  const named = Object.entries({
    '--start-url': startUrl,
    '--call-url': callUrl,
    '--redirect-url': redirectUrl,
    '--port': String(port),
    '--access-id': accessId,
    '--flow-timeout': flowTimeout === oauthTimes.flow ? null : `${flowTimeout}ms`,
    '--watch-time': watchTime === oauthTimes.watch ? null : `${watchTime}ms`,
  }).flatMap(([name, value]) => (value === null ? [] : [`${name} ${urlWord(withoutQuery(value))}`]))
  return [
    `tabscope rehearse oauth --only ${id}`,
    ...named,
    ...(secretOption === '' ? [] : [secretOption]),
    ...(allowTarget ? ['--allow-target'] : []),
  ].join(' ')
}

/**
 * Reports each result as it ends. An ordinary flow is first: without it nothing shows that the client can exchange a code at all. Returns why the client
 * could not be judged, or why the run is incomplete; null if it is complete. Throws the reason of `signal`.
 */
export async function runOAuthCases(ports: OAuthRunnerPorts): Promise<RehearsalProblem | null> {
  const { options, stage, signal } = ports
  const startedAt = performance.now()
  const selected = selectFrom(oauthCases, options)
  const [first] = selected
  if (!first) return null
  signal.throwIfAborted()
  const facts = await runFirstFlow(ports)
  signal.throwIfAborted()
  const requests = stage.take(first.id, 'the first flow', 0)
  const runner = new OAuthCaseRunner(ports, requests)
  if ('problem' in facts) {
    for (const each of selected) runner.skip(each, facts.problem.message)
    return facts.problem
  }
  let stopped: string | null = null
  for (const definition of selected) {
    if (stopped === null && performance.now() - startedAt > options.runTimeout) {
      stopped = 'The time limit of the run was reached.'
    }
    if (stopped !== null) runner.skip(definition, stopped)
    else if (facts.exchange === null && !withoutExchange.has(definition.id)) {
      runner.skip(
        definition,
        'The app did not exchange the code of the first flow, so that nothing shows what it must not do.',
      )
    } else {
      const { unreachable } = await runner.run(definition, facts)
      if (unreachable) stopped = `The app stopped responding after ${definition.id}.`
    }
  }
  if (stopped !== null) return { message: stopped, causes: [] }
  if (runner.hasJudged) return null
  return {
    message: 'No case could be judged.',
    causes: ['See the reason of each case that was skipped.'],
  }
}

class OAuthCaseRunner {
  readonly #ports: OAuthRunnerPorts
  /** Requests of the first flow, which belong to the first case that runs. */
  #earlier: RehearsalRequest[]
  #hasJudged = false

  constructor(ports: OAuthRunnerPorts, earlier: RehearsalRequest[]) {
    this.#ports = ports
    this.#earlier = earlier
  }

  get hasJudged(): boolean {
    return this.#hasJudged
  }

  skip(definition: OAuthCase, reason: string): void {
    const outcome: Outcome = { result: 'skipped', reason, received: '' }
    this.#report(definition, outcome, { variants: [], requests: [], durationMs: 0 })
  }

  /** `unreachable`: the app stopped responding. */
  async run(definition: OAuthCase, facts: Facts): Promise<{ unreachable: boolean }> {
    const startedAt = performance.now()
    const requests = this.#earlier
    this.#earlier = []
    const variants: (VariantResult & Outcome)[] = []
    let isUnreachable = false
    for (const scenario of scenarios[definition.id] ?? []) {
      const { outcome, unreachable } = await this.#runScenario(
        definition,
        scenario,
        facts,
        requests,
      )
      variants.push({ name: scenario.name, ...outcome })
      isUnreachable = unreachable
      // Nobody begins flows, or the app does not do what the case needs.
      if (unreachable || outcome.result === 'skipped') break
    }
    const shown = worst(variants)
    if (!shown) throw new Error(`${definition.id} has no scenario`)
    const { result, received, reason } = shown
    const named = reason !== null && variants.length > 1 ? `${shown.name}: ${reason}` : reason
    const durationMs = performance.now() - startedAt
    this.#report(
      definition,
      { result, received, reason: named },
      { variants, requests, durationMs },
    )
    return { unreachable: isUnreachable }
  }

  async #runScenario(
    definition: OAuthCase,
    scenario: Scenario,
    facts: Facts,
    requests: RehearsalRequest[],
  ): Promise<{ outcome: Outcome; unreachable: boolean }> {
    const { stage, signal } = this.#ports
    let first: Outcome | null = null
    for (let repetition = 0; ; repetition += 1) {
      signal.throwIfAborted()
      stage.enter(definition.id, scenario.name)
      let next = await scenario.run(stage, facts)
      await stage.settle()
      signal.throwIfAborted()
      const crash = await stage.findCrash()
      requests.push(...stage.take(definition.id, scenario.name, repetition))
      if (crash) {
        const reason = `${next.reason ?? ''} ${crash.reason}`.trim()
        next = { ...next, result: 'fail', reason }
      }
      if (first !== null && next.result !== 'fail') {
        const reason = `${first.reason ?? ''} Repeated, it had another result: ${next.result}.`
        return { outcome: { ...first, result: 'flaky', reason }, unreachable: false }
      }
      first ??= next
      const isOver = next.result !== 'fail' || stage.isManual || repetition === 1
      if (crash?.unreachable || isOver)
        return { outcome: first, unreachable: crash?.unreachable ?? false }
    }
  }

  #report(
    { id, level, title, expected }: OAuthCase,
    { result, reason, received }: Outcome,
    details: {
      variants: readonly VariantResult[]
      requests: RehearsalRequest[]
      durationMs: number
    },
  ): void {
    const { options, redact } = this.#ports
    const { variants, requests, durationMs } = details
    if (result !== 'skipped') this.#hasJudged = true
    const names = variants.map(({ name }) => name).join('; ')
    this.#ports.result(
      {
        id,
        level,
        result,
        sent: variants.length > 1 ? `${title}: ${names}` : title,
        expected,
        received: redact.text(received),
        reason: reason === null ? null : redact.text(reason),
        repeat: repeatOAuthCommand(id, options),
        variants: variants.map((variant) => ({
          ...variant,
          received: redact.text(variant.received),
          reason: variant.reason === null ? null : redact.text(variant.reason),
        })),
        durationMs,
      },
      requests,
    )
  }
}

async function runFirstFlow(
  ports: OAuthRunnerPorts,
): Promise<Facts | { problem: RehearsalProblem }> {
  const { options, stage } = ports
  const { startUrl, flowTimeout } = options.oauth
  stage.enter(null, 'an ordinary flow')
  const began = performance.now()
  for (;;) {
    const facts = await tryFirstFlow(ports)
    await stage.settle()
    // The user may still be configuring the app for this run.
    const isOver = startUrl === null || performance.now() - began >= flowTimeout
    if (!('problem' in facts) || isOver) return facts
    await stage.wait(stage.watchTime)
    ports.signal.throwIfAborted()
    stage.take('', '', 0)
  }
}

async function tryFirstFlow({
  options,
  stage,
  accessSecret,
}: OAuthRunnerPorts): Promise<Facts | { problem: RehearsalProblem }> {
  const { accessId, redirectUrl, startUrl } = options.oauth
  const begun = await stage.begin()
  if ('notBegun' in begun) {
    const configure = `Configure the app with the base URL ${stage.server.baseUrl}, and restart it.`
    const causes =
      startUrl === null
        ? ['Start the authorization in your app while the run waits for it.', configure]
        : [`Loading ${startUrl} must redirect to the authorization page.`, configure]
    return { problem: { message: begun.notBegun, causes } }
  }
  const { flow } = begun
  const exchange = await stage.exchanged(begun)
  if (exchange && hasOtherCredentials(exchange, accessId, accessSecret)) {
    return {
      problem: {
        message: 'The token request has another access ID or access secret than this run.',
        causes: ['Configure the app with the access ID and the access secret of this run.'],
      },
    }
  }
  const before = stage.canCall ? stage.apiCalls(flow).length : 0
  if (exchange) {
    await stage.call(begun, 1)
    const called = await stage.until(() => stage.apiCalls(flow)[before], stage.callTimeout)
    if (called && stage.isManual) await stage.wait(stage.watchTime / 5)
    stage.stepDone()
  }
  const calls = countCalls(stage.apiCalls(flow).slice(before))
  return { flow, exchange, calls, flows: [flow], accessId, redirectUrl }
}

/** Missing credentials are judged by O7. */
function hasOtherCredentials(
  { fields }: ClientRequest,
  accessId: string,
  accessSecret: string,
): boolean {
  const differs = (name: string, value: string): boolean => {
    const given = fields.get(name)
    return typeof given === 'string' && given !== '' && given !== value
  }
  return differs('api_access_id', accessId) || differs('api_access_secret', accessSecret)
}
