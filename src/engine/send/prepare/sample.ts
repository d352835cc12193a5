import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { SampleSource } from '#catalogue/define.ts'

/**
 * One believable body of a type of the document, its keys in the order of the document's table, as JSON to be read and edited. Null: the
 * document does not know the type.
 */
export function sampleBody(type: string, source: SampleSource): Uint8Array | null {
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
