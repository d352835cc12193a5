import { defineCase } from '../rehearsal/define.ts'

const day = 24 * 60 * 60 * 1000

export default defineCase({
  id: 'I8',
  group: 'effects',
  title: 'Old and future events',
  level: 'INFO',
  basis: null,
  expected: 'Accept or reject, without a server error',
  why: 'The signature does not cover the time of delivery, so a copied order stays valid forever. A limit on the age prevents that but also discards late orders: decide which matters more.',
  fix: 'deduplicate',
  variants: (builder) => {
    const { now } = builder.sample
    const at = (ms: number) => ({ createdAt: new Date(now.getTime() + ms).toISOString() })
    return [
      {
        name: '30 days ago',
        steps: [builder.deliver(builder.event('ORDER_PLACED', at(-30 * day)))],
        expect: 'no-server-error',
      },
      {
        name: 'one day in the future',
        steps: [builder.deliver(builder.event('ORDER_PLACED', at(day)))],
        expect: 'no-server-error',
      },
    ]
  },
})
