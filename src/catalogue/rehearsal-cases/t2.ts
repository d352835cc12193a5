import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'T2',
  group: 'transport',
  title: 'Slow writing in small pieces',
  level: 'SHOULD',
  basis: null,
  expected: 'Accept',
  why: 'A network may split a request anywhere, even in the middle of a character. A handler that treats the first chunk as the whole body rejects orders at random.',
  fix: 'transport',
  variants: (builder) => [
    {
      name: 'a byte at a time',
      steps: [
        builder.deliver(builder.event('OPEN_TAB'), { transmission: { pieceBytes: 1, pauseMs: 1 } }),
      ],
      expect: 'accept',
    },
    {
      name: 'in pieces of 16 bytes',
      steps: [builder.deliver(builder.event(), { transmission: { pieceBytes: 16, pauseMs: 5 } })],
      expect: 'accept',
    },
  ],
})
