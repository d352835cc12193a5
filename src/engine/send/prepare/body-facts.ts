import { parseBody } from '../../capture/parse-body.ts'
import type { BodyKind } from '../../capture/parse-text.ts'
import { echoed } from '../../conformance/header-rules.ts'

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
