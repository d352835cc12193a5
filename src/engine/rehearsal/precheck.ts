import {
  requestsOf,
  type DesignedRequest,
  type RehearsalCase,
  type RequestBuilder,
  type Variant,
} from '#catalogue/rehearsal/define.ts'
import type { RehearsalOptions, RehearsalProblem } from '#contract/rehearsal.ts'
import { withoutQuery } from '#shared/text/address.ts'
import { messageOf } from '#shared/text/errors.ts'
import { keptResponse, type KeptResponse, type Sent } from './all-responses.ts'
import type { EffectCounter } from './effect-counter.ts'
import { describeReceived, isAccepted, judgeResponses } from './judge.ts'

export interface PrecheckPorts {
  readonly options: RehearsalOptions
  /** `name` identifies the case and its repetition. */
  builder(name: string): RequestBuilder
  /** Never rejects. */
  send(request: DesignedRequest): Promise<Sent>
}

/**
 * Checks that the handler distinguishes a valid delivery from one with a random signature, and learns what one effect adds. Otherwise all other results
 * would be meaningless. Adds to `responses`. Returns what was received, or why the handler cannot be judged.
 */
export async function runPrecheck(
  precheck: RehearsalCase,
  ports: PrecheckPorts,
  effects: EffectCounter | null,
  responses: KeptResponse[],
): Promise<{ received: string } | { problem: RehearsalProblem }> {
  const received: string[] = []
  const builder = ports.builder(precheck.id)
  for (const variant of precheck.variants?.(builder) ?? []) {
    let before: number | null = null
    try {
      before = (await effects?.read()) ?? null
    } catch (error) {
      return { problem: { message: messageOf(error), causes: ['Check the observer.'] } }
    }
    const sent: Sent[] = []
    for (const request of variant.steps.flatMap(requestsOf)) {
      const one = await ports.send(request)
      sent.push(one)
      responses.push(keptResponse(precheck.id, request, one, builder))
    }
    received.push(...sent.map(describeReceived))
    const problem =
      problemOfResponses(variant, sent, ports.options) ??
      (effects && before !== null && (await problemOfEffects(variant, effects, before, ports)))
    if (problem) return { problem }
  }
  return { received: received.join(', ') }
}

function problemOfResponses(
  variant: Variant,
  sent: readonly Sent[],
  options: RehearsalOptions,
): RehearsalProblem | null {
  const [first] = sent
  if (!first || judgeResponses(variant, [sent], options).result !== 'fail') return null
  // A server error or a redirect is not a rejection, but differs from what a valid delivery gets. The cases of the signature judge it.
  const isToldApart =
    variant.expect === 'reject' && first.status !== null && !isAccepted(first, options)
  if (isToldApart) return null
  return variant.expect === 'reject'
    ? problemOfRejection(first, options)
    : problemOfAcceptance(first, options)
}

async function problemOfEffects(
  variant: Variant,
  effects: EffectCounter,
  before: number,
  { options: { observer } }: PrecheckPorts,
): Promise<RehearsalProblem | null> {
  const isValid = variant.effects && 'exactly' in variant.effects && variant.effects.exactly === 1
  if (!isValid) {
    const after = (await effects.after(before)) ?? before
    if (after === before) return null
    return {
      message: `The observer went from ${before} to ${after} after a delivery with a random signature.`,
      causes: ['The handler processes deliveries without verifying their signature.'],
    }
  }
  if ((await effects.learnUnit(before)) > before) return null
  return {
    message: `The observer stayed at ${before} after a valid delivery.`,
    causes: [
      observer.kind === 'sandbox'
        ? `The handler does not call the API at http://127.0.0.1:${observer.port} when an order is placed. Configure it as the base URL of the API, with any access token.`
        : 'The observer counts something else than the effects of ORDER_PLACED.',
      'The handler ignores ORDER_PLACED, or takes longer than 5 seconds to process it.',
    ],
  }
}

/** The most likely causes of the response to a delivery with a random signature. */
function problemOfRejection(response: Sent, { url }: RehearsalOptions): RehearsalProblem {
  const received = describeReceived(response)
  if (response.status === null) {
    return {
      message: `A delivery with a random signature got no response. ${received}`,
      causes: ['The handler ends, closes the connection or waits when a signature is invalid.'],
    }
  }
  return {
    message: `A delivery with a random signature got ${received}, as a valid one does.`,
    causes: [
      'The handler does not verify the signature.',
      'It responds before it verifies. Declare that with --acknowledges-first.',
      `${withoutQuery(url)} is not the webhook handler, but something that responds to everything.`,
    ],
  }
}

/** The most likely causes of the response to a valid delivery. */
function problemOfAcceptance(response: Sent, { url }: RehearsalOptions): RehearsalProblem {
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
  return {
    message: `A valid delivery got ${received}.`,
    causes: causesOfStatus(status, url, response.response.location),
  }
}

function causesOfStatus(status: number, url: string, location: string | null): string[] {
  if (status >= 300 && status < 400) {
    return [
      `The handler is at ${location === null ? 'another URL' : withoutQuery(location)}. The service does not document redirects: use that URL.`,
    ]
  }
  switch (status) {
    case 404:
    case 405:
      return [`The handler is at another path than ${new URL(url).pathname}.`]
    case 400:
    case 401:
    case 403:
      return [
        'The handler uses another secret than this run.',
        'It verifies a parsed body instead of the bytes as received.',
        'It reads another signature header, because of another brand.',
      ]
    default:
      return ['The handler fails on a valid ORDER_PLACED. See its log.']
  }
}
