import { expect, it } from 'vitest'
import type { ExportedDelivery } from '#engine/event-logs/items.ts'
import { RecordMasker } from '#engine/event-logs/record-masker.ts'
import { decodedTexts, encodingsOf } from '#test/support/encodings.ts'
import { full } from '#test/support/full.ts'
import { maskDelivery } from '#test/support/masking.ts'
import { keptPlaces, plantedPlaces, plantedValues } from '#test/support/planted.ts'
import { seeded } from '#test/support/random-json.ts'

function textsOf({ fields, body, omitted, attempts }: ExportedDelivery): string[] {
  const record = JSON.stringify({
    fields: { ...fields, sha256: '' },
    omitted,
    attempts: attempts.map(({ fields: { request, ...attempt } }) => ({
      ...attempt,
      request: { ...request, sha256: '' },
    })),
  })
  const bodies = attempts.flatMap(({ requestBody, answerBody }) => [requestBody, answerBody])
  return [
    record,
    ...[body, ...bodies].flatMap((bytes) => (bytes === null ? [] : decodedTexts(bytes))),
  ].map((text) => text.toLowerCase())
}

/** The needles that occur in a masked record, in any encoding. */
function leaked(masked: ExportedDelivery, needles: readonly string[]): string[] {
  const texts = textsOf(masked)
  return needles.filter((needle) =>
    [needle, ...(needle.length < 6 ? [] : encodingsOf(needle))].some((form) =>
      texts.some((text) => text.includes(form.toLowerCase())),
    ),
  )
}

it('lets nothing of a planted value leave, wherever it is', () => {
  const masker = new RecordMasker()
  const leaks: string[] = []
  let planted = 0
  for (const { kind, value, needles, plain } of plantedValues) {
    for (const [name, put] of Object.entries({ ...plantedPlaces, ...(plain ? {} : keptPlaces) })) {
      planted += 1
      const found = leaked(maskDelivery(put(value), masker), needles)
      if (found.length > 0) leaks.push(`${kind} in ${name}: ${found.join(', ')}`)
    }
  }
  expect(leaks.join('\n')).toBe('')
  expect(planted).toBeGreaterThan(1000)
})

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const rounds = full ? 2000 : 100

it(`lets no random text leave, from ${rounds} random places`, () => {
  const random = seeded(37)
  const pick = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(random() * list.length)]
    if (one === undefined) throw new Error('an empty list')
    return one
  }
  const places = Object.entries(plantedPlaces)
  const separators = ['', ' ', '-', '.', '/', ':', '=', ', ', '\n', '"', '\\', 'é']
  const leaks: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const needle = Array.from({ length: 8 + Math.floor(random() * 24) }, () =>
      letters.charAt(Math.floor(random() * letters.length)),
    ).join('')
    const before = pick(['', 'x', 'token=', 'Bearer ', '<b>', "'"])
    const value = `${before}${pick(separators)}${needle}${pick(separators)}${pick(['', 'x', "'"])}`
    const [name, put] = pick(places)
    if (leaked(maskDelivery(put(value)), [needle]).length > 0) leaks.push(`${value} in ${name}`)
  }
  expect(leaks).toEqual([])
})
