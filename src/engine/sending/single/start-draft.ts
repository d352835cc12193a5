import { randomInt, randomUUID } from 'node:crypto'
import type { ParsedInput } from '#contract/calls.ts'
import { draftBodyLimit } from '#contract/constants.ts'
import type { DraftContent } from '#contract/compose.ts'
import { samplePayload, type SampleSource } from '#catalogue/define.ts'
import type { EndpointRoute } from '../../payload/endpoint.ts'
import { AppError } from '../../platform/errors.ts'
import { type Captured, throwDeliveryNotFound } from '../../deliveries/store.ts'
import { readAttempt, readAttemptBody, readLastUrl } from '../store/attempts.ts'
import type { Logged } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import type { SenderConfiguration } from '../sender-configuration.ts'
import { withQuery } from '../prepare/request-target.ts'
import { draftOfAttempt, draftOfDelivery, draftOfLogged, newDraft } from '../prepare/start.ts'
import { defaultUrlOf, forwardUrlOf } from '../target.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'

type Input = ParsedInput<'compose.start'>

// A captured delivery may exceed these limits and can still be resent.
const maxHeaders = 500
const maxUrlLength = 8000

/** Throws `not_found`, `bad_input`. */
export async function startDraft(
  { from, endpointId }: Input,
  parts: Pick<SenderParts, 'db' | 'configuration' | 'captured'>,
): Promise<DraftContent> {
  const { configuration, captured } = parts
  const named = configuration.endpoint(endpointId) ?? configuration.firstEndpoint
  const brand = named?.brand ?? configuration.fallbackBrand
  switch (from.kind) {
    case 'delivery': {
      const delivery = captured(from.id) ?? throwDeliveryNotFound(from.id)
      const endpoint = configuration.endpoint(delivery.endpointId) ?? named
      return withinLimits(draftOfDelivery(delivery, endpoint, initialUrlOf(delivery, parts)))
    }
    case 'attempt':
      return withinLimits(await startFromAttempt(from.id, named, parts))
    case 'sample': {
      const body = sampleBody(from.type, sampleSource(brand))
      if (!body) {
        throw new AppError('bad_input', `Unknown event type "${from.type}".`)
      }
      const url = urlFor(named, from.type, parts)
      return newDraft({ kind: 'sample', type: from.type }, body, named, { brand, url })
    }
    case 'file': {
      const url = urlFor(named, null, parts)
      return newDraft({ kind: 'file', name: from.name }, from.bytes, named, { brand, url })
    }
    case 'empty': {
      const url = urlFor(named, null, parts)
      return newDraft({ kind: 'empty' }, new Uint8Array(), named, { brand, url })
    }
  }
}

/** Copies a request for one of our endpoints. Throws `bad_input`. */
export function startLogged(
  logged: Logged,
  endpointId: number | null,
  configuration: SenderConfiguration,
): DraftContent {
  const endpoint = configuration.endpoint(endpointId) ?? configuration.firstEndpoint
  const brand = endpoint?.brand ?? configuration.fallbackBrand
  const own = urlFor(endpoint, logged.type, { configuration })
  const url = logged.url ?? (URL.canParse(own) ? withQuery(new URL(own), logged.path).href : own)
  return withinLimits(draftOfLogged(logged, endpoint, { brand, url }))
}

async function startFromAttempt(
  id: number,
  named: EndpointRoute | null,
  { db, configuration, captured }: Pick<SenderParts, 'db' | 'configuration' | 'captured'>,
): Promise<DraftContent> {
  const attempt = readAttempt(db, id)
  const sent = readAttemptBody(db, {
    id,
    which: 'request',
    offset: 0,
    length: Number.MAX_SAFE_INTEGER,
    decoded: false,
  })
  if (!attempt || !sent) {
    throw new AppError(
      'not_found',
      `Attempt ${id} does not exist. It may have been deleted with its delivery.`,
    )
  }
  const delivery = attempt.deliveryId === null ? null : captured(attempt.deliveryId)
  if ((!delivery || attempt.bodyEdited) && sent.bytes.byteLength > draftBodyLimit) {
    throw new AppError('bad_input', 'The body is larger than 6 MiB, the limit for editing.')
  }
  const endpoint = (delivery && configuration.endpoint(delivery.endpointId)) ?? named
  const brand = delivery?.brand ?? endpoint?.brand ?? configuration.fallbackBrand
  return draftOfAttempt(attempt, { body: sent.bytes, captured: delivery }, endpoint, brand)
}

function initialUrlOf(
  delivery: Captured,
  { db, configuration }: Pick<SenderParts, 'db' | 'configuration'>,
): string {
  try {
    const url = defaultUrlOf(delivery, readLastUrl(db, delivery.id), configuration)
    return withQuery(url, delivery.path).href
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_target') return ''
    throw error
  }
}

function urlFor(
  endpoint: EndpointRoute | null,
  type: string | null,
  { configuration }: Pick<SenderParts, 'configuration'>,
): string {
  if (!endpoint) return ''
  const forwarded = forwardUrlOf(endpoint.id, type, configuration)
  return (
    forwarded ?? (configuration.listener === null ? '' : configuration.listener + endpoint.path)
  )
}

function withinLimits(content: DraftContent): DraftContent {
  const { headers, url, method } = content
  const fits =
    headers.length <= maxHeaders &&
    headers.every(({ name, value }) => name.length <= 1000 && value.length <= 100_000) &&
    url.length <= maxUrlLength &&
    method.length <= 40
  if (fits) return content
  throw new AppError(
    'bad_input',
    `The request exceeds the limits for editing: ${maxHeaders} headers and ${maxUrlLength} characters of URL.`,
  )
}

function between(from: number, to: number): number {
  return randomInt(from, to + 1)
}

function sampleSource(brand: string): SampleSource {
  return {
    now: new Date(),
    uuid: randomUUID,
    between,
    pick: (from) => {
      for (const found of from.slice(between(0, from.length - 1))) return found
      throw new RangeError('The list is empty.')
    },
    brand,
    location: { uuid: randomUUID(), id: String(between(100, 999)), name: 'Pier 9' },
  }
}

function sampleBody(type: string, source: SampleSource): Uint8Array | null {
  const known = eventTypeOf(type)
  if (!known) return null
  return Buffer.from(JSON.stringify(samplePayload(known, source), null, 2), 'utf8')
}
