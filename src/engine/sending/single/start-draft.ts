import { randomInt, randomUUID } from 'node:crypto'
import type { ParsedInput } from '#contract/calls.ts'
import { draftBodyLimit, type DraftContent } from '#contract/compose.ts'
import type { SampleSource } from '#catalogue/define.ts'
import type { EndpointRoute } from '../../capture/messages.ts'
import { AppError } from '../../platform/errors.ts'
import type { Captured } from '../../deliveries/store.ts'
import { readAttempt, readAttemptBody, readLastUrl } from '../store/attempts.ts'
import type { Logged } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import type { SenderConfiguration } from '../sender-configuration.ts'
import { withQuery } from '../prepare/request-target.ts'
import { draftOfAttempt, draftOfDelivery, draftOfLogged, newDraft } from '../prepare/start.ts'
import { defaultUrlOf, forwardUrlOf } from '../target.ts'
import { throwDeliveryNotFound } from '../../deliveries/lookup.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'

type Input = ParsedInput<'compose.start'>

/** What a draft may hold; a captured delivery may have more, and can be re-sent all the same. */
const mostHeaders = 500
const longestUrl = 8000

/** A new draft, as `compose.start` gives it. Throws `not_found`, `bad_input`. */
export async function startDraft(
  { from, endpointId }: Input,
  parts: Pick<SenderParts, 'db' | 'world' | 'captured'>,
): Promise<DraftContent> {
  const { world, captured } = parts
  const named = world.endpoint(endpointId) ?? world.firstEndpoint
  const brand = named?.brand ?? world.fallbackBrand
  switch (from.kind) {
    case 'delivery': {
      const delivery = captured(from.id) ?? throwDeliveryNotFound(from.id)
      const endpoint = world.endpoint(delivery.endpointId) ?? named
      return checked(draftOfDelivery(delivery, endpoint, firstUrlOf(delivery, parts)))
    }
    case 'attempt':
      return checked(await startFromAttempt(from.id, named, parts))
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

/** A draft with a copy of a log's delivery, to be sent as if by one of our endpoints. Throws `bad_input`. */
export function startLogged(
  logged: Logged,
  endpointId: number | null,
  world: SenderConfiguration,
): DraftContent {
  const endpoint = world.endpoint(endpointId) ?? world.firstEndpoint
  const brand = endpoint?.brand ?? world.fallbackBrand
  const url = urlFor(endpoint, logged.type, { world })
  return checked(
    draftOfLogged(logged, endpoint, {
      brand,
      url: URL.canParse(url) ? withQuery(new URL(url), logged.path).href : url,
    }),
  )
}

async function startFromAttempt(
  id: number,
  named: EndpointRoute | null,
  { db, world, captured }: Pick<SenderParts, 'db' | 'world' | 'captured'>,
): Promise<DraftContent> {
  const attempt = readAttempt(db, id)
  const sent = await readAttemptBody(db, {
    id,
    which: 'request',
    offset: 0,
    length: Number.MAX_SAFE_INTEGER,
    decoded: false,
  })
  if (!attempt || !sent) {
    throw new AppError(
      'not_found',
      `There is no attempt ${id}. It may have gone with its delivery.`,
    )
  }
  const delivery = attempt.deliveryId === null ? null : captured(attempt.deliveryId)
  if ((!delivery || attempt.bodyEdited) && sent.bytes.byteLength > draftBodyLimit) {
    throw new AppError(
      'bad_input',
      'The body is larger than 6 MiB, which is as much as can be edited.',
    )
  }
  const endpoint = (delivery && world.endpoint(delivery.endpointId)) ?? named
  const brand = delivery?.brand ?? endpoint?.brand ?? world.fallbackBrand
  return draftOfAttempt(attempt, { body: sent.bytes, captured: delivery }, endpoint, brand)
}

/** Where it would go, with its query: a draft shows all that goes out. Empty where there is nowhere to go. */
function firstUrlOf(delivery: Captured, { db, world }: Pick<SenderParts, 'db' | 'world'>): string {
  try {
    const url = defaultUrlOf(delivery, readLastUrl(db, delivery.id), world)
    return withQuery(url, delivery.path).href
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_target') return ''
    throw error
  }
}

function urlFor(
  endpoint: EndpointRoute | null,
  type: string | null,
  { world }: Pick<SenderParts, 'world'>,
): string {
  if (!endpoint) return ''
  const forwarded = forwardUrlOf(endpoint.id, type, world)
  return forwarded ?? (world.listener === null ? '' : world.listener + endpoint.path)
}

function checked(content: DraftContent): DraftContent {
  const { headers, url, method } = content
  const fits =
    headers.length <= mostHeaders &&
    headers.every(({ name, value }) => name.length <= 1000 && value.length <= 100_000) &&
    url.length <= longestUrl &&
    method.length <= 40
  if (fits) return content
  throw new AppError(
    'bad_input',
    `It has more than can be edited: up to ${mostHeaders} headers and ${longestUrl} characters of address. It can be re-sent as it is.`,
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
      throw new RangeError('There is nothing to pick from.')
    },
    brand,
    location: { uuid: randomUUID(), id: String(between(100, 999)), name: 'Pier 9' },
  }
}

/**
 * One believable body of a type of the document, its keys in the order of the document's table, as JSON to be read and edited. Null: the
 * document does not know the type.
 */
function sampleBody(type: string, source: SampleSource): Uint8Array | null {
  const known = eventTypeOf(type)
  if (!known) return null
  const { targetUuid, targetId, data } = known.sample(source)
  const { location, now } = source
  const payload = {
    type,
    // What is undefined is left out of JSON.
    targetUuid,
    targetId,
    locationUuid: location.uuid,
    locationName: location.name,
    locationId: location.id,
    createdAt: now.toISOString(),
    data,
  }
  return Buffer.from(JSON.stringify(payload, null, 2), 'utf8')
}
