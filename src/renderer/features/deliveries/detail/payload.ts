import type { Payload } from '#catalogue/payload.ts'
import { textOf } from '../../body/read-body.ts'
import type { Body } from '../../body/use-body.ts'
import { wholeUpTo } from '../../body/use-body.ts'

/** What a body is, as far as drawing it is concerned. */
export type Reading =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'not-text' }
  | { readonly kind: 'not-json'; readonly why: string }
  | { readonly kind: 'not-object'; readonly what: string }
  | { readonly kind: 'payload'; readonly payload: Payload }

/** Reads a body as the service's payload, and says what it is when it is none. */
export function readPayload(body: Body): Reading {
  if (body.phase === 'loading') return { kind: 'waiting' }
  if (body.phase === 'failed') return { kind: 'failed', message: body.message }
  if (body.size === 0) return { kind: 'empty' }
  if (body.size > wholeUpTo) return { kind: 'too-long' }
  const text = textOf(body.bytes, true)
  if (text === null) return { kind: 'not-text' }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { kind: 'payload', payload: value }
    }
    return { kind: 'not-object', what: nameOf(value) }
  } catch (error) {
    return { kind: 'not-json', why: error instanceof Error ? error.message : '' }
  }
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}
