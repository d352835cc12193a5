import { headerName } from '../headers.ts'
import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'S10',
  group: 'signature',
  title: 'Two signature headers',
  level: 'INFO',
  basis: null,
  expected: 'Accept or reject, without a server error',
  why: 'Frameworks join repeated headers, or pass a list instead of text. Any request can then crash a handler that does not expect a list.',
  fix: 'compare-signature',
  hostile: true,
  needsSecret: true,
  variants: (builder) => {
    const name = headerName(builder.brand, 'signature')
    const forged = builder.randomHex(64)
    return [
      { order: 'the valid one first', place: 1 },
      { order: 'the valid one last', place: 0 },
    ].map(({ order, place }) => ({
      name: order,
      steps: [
        builder.deliver(builder.event(), {
          headers: (headers) => {
            const valid = headers.findIndex(([each]) => each === name)
            return headers.toSpliced(valid + place, 0, [name, forged])
          },
        }),
      ],
      expect: 'no-server-error',
    }))
  },
})
