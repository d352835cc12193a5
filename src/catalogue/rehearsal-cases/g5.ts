import { defineCase } from '../rehearsal/define.ts'

const extra = { apiVersion: '2', trace: { id: null, parents: [] } }

export default defineCase({
  id: 'G5',
  group: 'events',
  title: 'Extra fields and empty values',
  level: 'SHOULD',
  basis: null,
  expected: 'Accept',
  why: 'The service can add a field at any time. A handler with a strict schema then rejects every event. An order of 0.00, or without a name, is still an order.',
  fix: 'tolerate-fields',
  variants: (builder) => {
    const event = builder.event()
    const data: Record<string, unknown> = { ...Object(event.data) }
    const changed = (changes: Record<string, unknown>) =>
      builder.deliver({ ...builder.event(), data: { ...data, ...changes } })
    return [
      {
        name: 'extra fields',
        steps: [
          builder.deliver({
            ...event,
            ...extra,
            data: { ...data, discount: { kind: 'none', amount: 0 }, course: null },
          }),
        ],
        expect: 'accept',
      },
      { name: 'zero', steps: [changed({ total: 0 })], expect: 'accept' },
      {
        name: 'empty strings',
        steps: [changed({ orderName: '', zoneName: '', spotName: '', zoneGroupName: '' })],
        expect: 'accept',
      },
      {
        name: 'empty lists',
        steps: [changed({ zoneTags: [], itemNames: [], itemTags: [], categoryNames: [] })],
        expect: 'accept',
      },
    ]
  },
})
