import { parseBody, type BodyKind } from '../../payload/parse-body.ts'
import { echoed } from '../../payload/conformance/header-rules.ts'
import type { DraftContent, DraftProblem } from '#contract/compose.ts'
import type { EndpointRoute } from '../../payload/endpoint.ts'
import type { Captured } from '../../deliveries/store.ts'
import type { SenderConfiguration } from '../sender-configuration.ts'
import type { DeliveryNames } from './header-list.ts'

/** Headers that repeat values of the body (API documentation, "Delivery headers"). */
export const echoIds = ['event-type', 'target-uuid', 'target-id'] as const
export type EchoId = (typeof echoIds)[number]

export interface BodyFacts {
  readonly kind: BodyKind
  /** Latin-1, one character per byte. Empty if the body has no such value. */
  readonly echoes: Readonly<Record<EchoId, string>>
}

/** By identity: a body may be sent with a thousand deliveries, and is never changed in place. */
const cache = new WeakMap<Uint8Array, BodyFacts>()

export function factsOf(body: Uint8Array): BodyFacts {
  const found = cache.get(body)
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
  cache.set(body, facts)
  return facts
}

/** Empty if the value is not text or a number, or contains a line break. Surrounding white space is trimmed (RFC 9110, 5.5). */
export function asHeader(value: unknown): string {
  const text = (echoed(value) ?? '').trim()
  return /[\0-\x08\n-\x1f\x7f]/.test(text) ? '' : Buffer.from(text, 'utf8').toString('latin1')
}

/** False for an empty body. */
export function isInvalidJson(body: Uint8Array): boolean {
  const { kind } = factsOf(body)
  return kind === 'not_json' || kind === 'not_utf8'
}

/** A draft while it is being prepared, with its placeholders filled in. */
export interface Composing {
  readonly content: DraftContent
  /** Null if there is none or it was deleted. */
  readonly captured: Captured | null
  readonly endpoint: EndpointRoute | null
  readonly names: DeliveryNames
  readonly url: URL | null
  readonly values: readonly string[]
  readonly body: Uint8Array
  readonly bodyUnchanged: boolean
  /** If true, headers that depend on the endpoint stay as captured while the body is unchanged. */
  readonly sameEndpoint: boolean
  readonly configuration: SenderConfiguration
}

/** A body that replaces a captured one is not encoded as that was, unless it is gzip itself (RFC 1952, 2.3.1). */
export function losesEncoding({ captured, body, bodyUnchanged }: Composing): boolean {
  return captured !== null && !bodyUnchanged && !(body[0] === 0x1f && body[1] === 0x8b)
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
