import type { Reading as ReadAs } from '../../body/reading.ts'
import type { Body } from '../../body/use-body.ts'

/** What a body is, as far as drawing it is concerned. */
export type Reading =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'failed'; readonly message: string }
  | ReadAs

/** The body read as the service's payload, or what it is when it is none. */
export function readPayload(body: Pick<Body, 'phase' | 'message' | 'facts'>): Reading {
  if (body.phase === 'failed') return { kind: 'failed', message: body.message }
  return body.facts === null ? { kind: 'waiting' } : body.facts.reading
}
