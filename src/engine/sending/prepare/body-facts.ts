import { parseBody } from '../../capture/parse-body.ts'
import type { BodyKind } from '../../capture/parse-text.ts'
import { echoed } from '../../conformance/header-rules.ts'
import type { DraftContent, DraftProblem } from '#contract/compose.ts'
import type { EndpointRoute } from '../../capture/messages.ts'
import type { Captured } from '../../deliveries/store.ts'
import type { SenderConfiguration } from '../sender-configuration.ts'
import type { DeliveryNames } from './header-list.ts'

/** The headers that repeat what the body says (SPEC, "Delivery headers"). */
export const echoIds = ['event-type', 'target-uuid', 'target-id'] as const
export type EchoId = (typeof echoIds)[number]

/** What headers say of a body. */
export interface BodyFacts {
  readonly kind: BodyKind
  /** As it stands in a header: Latin-1 text, one character a byte. Empty: there is nothing to say. */
  readonly echoes: Readonly<Record<EchoId, string>>
}

/** By identity: one body may go out with a thousand deliveries, and is never changed in place. */
const read = new WeakMap<Uint8Array, BodyFacts>()

export function factsOf(body: Uint8Array): BodyFacts {
  const found = read.get(body)
  if (found) return found
  const parsed = parseBody(body)
  const payload = parsed.kind === 'object' ? parsed.payload : {}
  const facts: BodyFacts = {
    kind: parsed.kind,
    echoes: {
      'event-type': asHeader(payload.type),
      'target-uuid': asHeader(payload.targetUuid),
      'target-id': asHeader(payload.targetId),
    },
  }
  read.set(body, facts)
  return facts
}

/** What is neither text nor number cannot be repeated, nor can a line break: no header then. White space around it is not sent (RFC 9110, 5.5). */
export function asHeader(value: unknown): string {
  const text = (echoed(value) ?? '').trim()
  return /[\0-\x08\n-\x1f\x7f]/.test(text) ? '' : Buffer.from(text, 'utf8').toString('latin1')
}

/** Of no bytes at all nothing is said. */
export function isNoJson(body: Uint8Array): boolean {
  const { kind } = factsOf(body)
  return kind === 'not_json' || kind === 'not_utf8'
}

/** A draft while it is made ready: filled in, and read. */
export interface Composing {
  readonly content: DraftContent
  /** The delivery that it comes from; null: none, or it is gone. */
  readonly captured: Captured | null
  readonly endpoint: EndpointRoute | null
  /** Under the brand that counts. */
  readonly names: DeliveryNames
  /** Null: it cannot be read. */
  readonly url: URL | null
  /** Of its headers, filled in. */
  readonly values: readonly string[]
  readonly body: Uint8Array
  readonly bodyUnchanged: boolean
  /** It goes out as whom it came: then what depends on the endpoint is as captured, while the body is. */
  readonly sameEndpoint: boolean
  readonly world: SenderConfiguration
}

type Field = DraftProblem['field']

export function problem(
  severity: DraftProblem['severity'],
  code: string,
  field: Field,
  message: string,
  header: number | null = null,
): DraftProblem {
  return { code, severity, field, header, message }
}
