import { eventTypes } from '../catalogue.ts'
import { defineCase } from '../rehearsal/define.ts'

const requests = 50

export default defineCase({
  id: 'T7',
  group: 'transport',
  title: '50 requests at once',
  level: 'SHOULD',
  basis: null,
  expected: 'No server error',
  why: 'A full restaurant places many orders in one minute. A handler that runs out of database connections loses them.',
  fix: 'respond-fast',
  load: true,
  variants: (builder) => {
    const types = eventTypes.map(({ type }) => type)
    return [
      {
        name: 'mixed types',
        steps: [
          Array.from({ length: requests }, (_, index) =>
            builder.deliver(builder.event(types[index % types.length])),
          ),
        ],
        expect: 'no-server-error',
      },
    ]
  },
})
