import type { Payload } from '../payload.ts'
import { defineCase } from '../rehearsal/define.ts'

const optional = ['locationUuid', 'locationName', 'locationId'] as const

export default defineCase({
  id: 'G2',
  group: 'events',
  title: 'Optional payload fields absent',
  level: 'MUST',
  basis: 'Common payload',
  quote:
    'UUID of the targeted resource, present only when the event targets a resource that has a UUID.',
  expected: 'Accept',
  why: 'A handler that requires an optional field loses every event without it, such as an order whose location has no name.',
  fix: 'tolerate-fields',
  variants: (builder) => {
    const without = (fields: readonly (keyof Payload)[]) =>
      builder.event('ORDER_PLACED', Object.fromEntries(fields.map((key) => [key, undefined])))
    return [
      ...optional.map((key) => ({
        name: `without ${key}`,
        steps: [builder.deliver(without([key]))],
        expect: 'accept' as const,
      })),
      {
        name: 'without a location',
        steps: [builder.deliver(without(optional))],
        expect: 'accept',
      },
    ]
  },
})
