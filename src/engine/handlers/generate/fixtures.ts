import { eventTypes } from '#catalogue/catalogue.ts'
import { samplePayload, type SampleSource } from '#catalogue/define.ts'
import { headerName, userAgentPrefix } from '#catalogue/headers.ts'
import type { GeneratedFile } from '#contract/generate.ts'
import type { Header } from '#contract/models.ts'
import type { Fixture } from './generators.ts'
import { snakeCase } from './names.ts'

/** The body, and the headers as lines, so that no framework needs a parser. */
export function fixtureFiles(folder: string, fixtures: readonly Fixture[]): GeneratedFile[] {
  return fixtures.flatMap(({ name, headers, body }) => [
    { path: `${folder}/${name}.json`, text: body },
    {
      path: `${folder}/${name}.headers`,
      text: headers.map(([header, value]) => `${header}: ${value}\n`).join(''),
    },
  ])
}

/** Numbered by type, in order. */
export function withNames(
  deliveries: readonly (Omit<Fixture, 'name'> & { type: string | null })[],
): Fixture[] {
  const counts = new Map<string, number>()
  return deliveries.map(({ type, headers, body }) => {
    const word =
      snakeCase(type ?? '')
        .replaceAll('_', '-')
        .slice(0, 60) || 'no-type'
    const count = (counts.get(word) ?? 0) + 1
    counts.set(word, count)
    return { name: `${word}-${count}`, headers, body }
  })
}

/** The same samples each time. */
export function constantSource(brand: string): SampleSource {
  let uuids = 0
  const uuid = (): string => {
    uuids += 1
    return `00000000-0000-4000-8000-${String(uuids).padStart(12, '0')}`
  }
  return {
    now: new Date('2026-01-01T12:00:00.000Z'),
    uuid,
    between: (from) => from,
    pick: (all) => {
      for (const first of all) return first
      throw new RangeError('Cannot pick from an empty list.')
    },
    brand,
    location: { uuid: uuid(), id: '1', name: 'Harbor Bar' },
  }
}

/** One of each documented type. `types`: only these, unless it is empty. */
export function sampleFixtures(brand: string, types: readonly string[]): Fixture[] {
  const source = constantSource(brand)
  const samples = eventTypes
    .filter(({ type }) => types.length === 0 || types.includes(type))
    .toSorted((one, other) => (one.type < other.type ? -1 : 1))
    .map((eventType) => {
      const { type } = eventType
      const payload = samplePayload(eventType, source)
      const headers: readonly (readonly [name: string, value: unknown])[] = [
        ['User-Agent', `${userAgentPrefix(brand)}/1.0`],
        ['Content-Type', 'application/json'],
        [headerName(brand, 'event-type'), type],
        [headerName(brand, 'target-uuid'), payload.targetUuid],
        [headerName(brand, 'target-id'), payload.targetId],
        [headerName(brand, 'application-id'), 'app-1'],
      ]
      return {
        type,
        headers: headers.flatMap(([name, value]): Header[] =>
          typeof value === 'string' ? [[name, value]] : [],
        ),
        body: JSON.stringify(payload),
      }
    })
  return withNames(samples)
}
