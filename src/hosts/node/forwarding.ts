import type { Endpoint } from '#contract/models.ts'
import type { Engine } from '#engine/engine.ts'
import { eventTypes } from '#catalogue/catalogue.ts'
import { attemptEvent, attemptLine } from './attempt-text.ts'
import { confirming } from './confirm-target.ts'
import { wholeNumber } from './options.ts'
import { say, writeJson, writeLine } from './output.ts'
import { printable } from '../printable.ts'
import { UsageError } from './usage-error.ts'

/** Options of commands that forward while they run. */
export const forwardOptions = {
  'forward-to': { type: 'string', multiple: true },
  'forward-types': { type: 'string' },
  'forward-answer': { type: 'boolean' },
  'forward-retries': { type: 'string' },
  'allow-target': { type: 'boolean' },
} as const

interface Values {
  'forward-to'?: string[] | undefined
  'forward-types'?: string | undefined
  'forward-answer'?: boolean | undefined
  'forward-retries'?: string | undefined
  'allow-target'?: boolean | undefined
}

/** What the options ask for. */
export interface ForwardWish {
  readonly urls: readonly string[]
  /** Empty: all. */
  readonly types: string[]
  readonly mode: 'after' | 'answer'
  readonly retries: number
  readonly allowed: boolean
}

/** Throws `UsageError`. */
export function forwardWish(values: Values): ForwardWish {
  const urls = values['forward-to'] ?? []
  const types = typesOf(values['forward-types'])
  const mode = values['forward-answer'] ? 'answer' : 'after'
  const retries = wholeNumber('forward-retries', values['forward-retries'], 0, 20) ?? 0
  if (urls.length === 0 && (types.length > 0 || mode === 'answer' || retries > 0)) {
    throw new UsageError('Say where to: --forward-to URL.')
  }
  if (urls.length > 1 && mode === 'answer') {
    throw new UsageError(
      'Only one answer can be ours: give --forward-answer with one --forward-to.',
    )
  }
  return { urls, types, mode, retries, allowed: values['allow-target'] ?? false }
}

/** `A,B`: types of events. One that the document does not know is taken as well, and said. */
export function typesOf(text: string | undefined): string[] {
  if (text === undefined) return []
  const types = text
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '')
  if (types.length === 0) throw new UsageError('Give event types, with commas between.')
  for (const type of types) mindUnknownType(type, 'Deliveries of it are forwarded all the same.')
  return types
}

/**
 * Forwards what arrives at the endpoint as long as this engine runs. With `tells` each attempt to forward is a line, also to targets that are
 * added later. Throws as `forwards.add`.
 */
export async function startForwarding(
  engine: Engine,
  endpoint: Endpoint | null,
  { urls, types, mode, retries, allowed }: ForwardWish,
  { json, tells }: { json: boolean; tells: boolean },
): Promise<void> {
  if (tells) {
    engine.on('attempts.made', ({ rows }) => {
      for (const row of rows) {
        if (row.forwardId === null) continue
        if (json) writeJson({ ...attemptEvent(row), event: 'forward' })
        else writeLine(attemptLine(row))
      }
    })
  }
  if (urls.length === 0) return
  if (!endpoint) throw new UsageError('There is no endpoint to forward from.')
  for (const url of urls) {
    await confirming(engine, { allowed, asks: !json }, () =>
      engine.call('forwards.add', {
        endpointId: endpoint.id,
        url,
        types,
        mode,
        retries,
        temporary: true,
      }),
    )
  }
}

/** Says that a type is not in the document, as one that is misspelt is not either: none is refused, since the service may have newer ones. */
export function mindUnknownType(type: string, so: string): void {
  if (eventTypes.some((known) => known.type === type)) return
  say(`"${printable(type)}" is no type of the document. ${so}`)
}
