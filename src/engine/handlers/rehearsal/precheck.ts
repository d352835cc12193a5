import {
  requestsOf,
  type DesignedRequest,
  type RehearsalCase,
  type RequestBuilder,
  type Variant,
} from '#catalogue/rehearsal/define.ts'
import type {
  RehearsalOptions,
  RehearsalProblem,
  RehearsalRequest,
  VariantResult,
} from '#contract/rehearsal.ts'
import { readResponse } from '#catalogue/response-causes.ts'
import { describeCause } from '#catalogue/signature-causes.ts'
import { withoutQuery } from '#shared/text/address.ts'
import { messageOf } from '#shared/text/errors.ts'
import { keptResponse, type KeptResponse, type Sent } from './all-responses.ts'
import type { EffectCounter } from './effect-counter.ts'
import { describeReceived, isAccepted, judgeResponses, type Judgement } from './judge.ts'

export interface PrecheckPorts {
  readonly options: RehearsalOptions
  /** `name` identifies the case and its repetition. */
  builder(name: string): RequestBuilder
  /** Never rejects. */
  send(request: DesignedRequest): Promise<Sent>
}

interface Prechecked {
  /** Of the delivery with a random signature. A handler that takes it for a valid one, or does not respond, fails. */
  readonly judgement: Judgement
  readonly responded: boolean
  readonly received: string
  readonly variants: readonly (VariantResult & { readonly requests: readonly RehearsalRequest[] })[]
}

/**
 * Checks that the handler accepts a valid delivery, which the observer counts, without which all other results would be meaningless, and rejects one with
 * a random signature. Adds to `responses`. Returns why the handler cannot be judged, if it cannot.
 */
export async function runPrecheck(
  precheck: RehearsalCase,
  ports: PrecheckPorts,
  effects: EffectCounter | null,
  responses: KeptResponse[],
): Promise<Prechecked | { problem: RehearsalProblem }> {
  const variants: Prechecked['variants'][number][] = []
  let judgement: Judgement = { result: 'pass', reason: null }
  const builder = ports.builder(precheck.id)
  for (const variant of precheck.variants?.(builder) ?? []) {
    let before: number | null = null
    try {
      before = (await effects?.read()) ?? null
    } catch (error) {
      return { problem: { message: messageOf(error), causes: ['Check the observer.'] } }
    }
    const { name } = variant
    const sent: Sent[] = []
    const requests: RehearsalRequest[] = []
    for (const request of variant.steps.flatMap(requestsOf)) {
      const one = await ports.send(request)
      sent.push(one)
      responses.push(keptResponse(precheck.id, request, one, builder))
      requests.push({ caseId: precheck.id, variant: name, repetition: 0, ...one.request })
    }
    if (variant.expect === 'reject') {
      judgement = judgeRejection(variant, sent, ports)
      if (judgement.result === 'pass' && effects && before !== null) {
        const after = (await effects.after(before)) ?? before
        const reason = `The observer went from ${before} to ${after} after a delivery with a random signature.`
        if (after !== before) judgement = { result: 'fail', reason }
      }
    } else {
      const problem =
        problemOfAcceptance(variant, sent, ports.options) ??
        (effects && before !== null && (await problemOfEffects(effects, before)))
      if (problem) return { problem }
    }
    const received = sent.map(describeReceived).join(', ')
    variants.push({ name, ...judgement, received, requests })
  }
  const received = variants.map((variant) => variant.received).join(', ')
  const responded = variants.every(({ requests }) =>
    requests.every(({ status }) => status !== null),
  )
  return { judgement, responded, received, variants }
}

function judgeRejection(
  variant: Variant,
  sent: readonly Sent[],
  { options }: PrecheckPorts,
): Judgement {
  const judged = judgeResponses(variant, [sent], options)
  const responded = sent.every(({ status }) => status !== null)
  const isTold = responded && sent.every((each) => !isAccepted(each, options))
  if (judged.result !== 'fail' || isTold) return { result: 'pass', reason: null }
  const advice = 'If it responds before it verifies, declare that: --acknowledges-first'
  return { ...judged, reason: [judged.reason, ...(responded ? [advice] : [])].join(' ') }
}

async function problemOfEffects(
  effects: EffectCounter,
  before: number,
): Promise<RehearsalProblem | null> {
  const after = (await effects.after(before + 1)) ?? before
  if (after === before + 1) return null
  return {
    message:
      after === before
        ? `The observer stayed at ${before} after a valid delivery.`
        : `The observer went from ${before} to ${after} after one valid delivery.`,
    causes: [
      'The observer counts something else than the effects of ORDER_PLACED: it must grow by one for each.',
      'The handler ignores ORDER_PLACED, or takes longer than 5 seconds to process it.',
    ],
  }
}

function problemOfAcceptance(
  variant: Variant,
  sent: readonly Sent[],
  options: RehearsalOptions,
): RehearsalProblem | null {
  const [response] = sent
  if (!response || judgeResponses(variant, [sent], options).result !== 'fail') return null
  const { url, accept } = options
  const { status } = response
  const received = describeReceived(response)
  if (status === null) {
    return {
      message: `A valid delivery got no response. ${received}`,
      causes: [
        `The handler does not run, is at another address than ${withoutQuery(url)}, or does not respond in time.`,
      ],
    }
  }
  if (status >= 200 && status < 300) {
    return {
      message: `A valid delivery got ${received}, and this run accepts only ${accept.join(', ')} (--accept).`,
      causes: [
        `If ${received} means that the handler took it: --accept ${[...accept, status].join(',')}.`,
      ],
    }
  }
  const { responseHeaders: headers, responseBody } = response.request
  const cause = readResponse({ status, headers, body: Buffer.from(responseBody).toString() })
  const { said, location } = cause?.values ?? {}
  const message = `A valid delivery got ${received}${said === undefined ? '' : `: ${said}`}.`
  if (!cause || cause.code === 'handler.serialized') return { message, causes: refusedCauses }
  const { title, fix } = describeCause(cause)
  const place = location === undefined ? '' : `The handler is at ${location}. `
  return { message, causes: [`${place}${title}. ${fix}`] }
}

const refusedCauses = [
  'The handler uses another secret than this run.',
  'It verifies a parsed body instead of the bytes as received, or one that was read before and is empty.',
  'It reads another signature header, because of another brand.',
]
