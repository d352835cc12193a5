import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'T9',
  group: 'transport',
  title: 'Other methods',
  level: 'SHOULD',
  basis: null,
  expected: 'Respond with 404 or 405, without an effect',
  why: 'Every delivery is a POST. A handler that also acts on GET places orders for link previews and crawlers that know its URL.',
  fix: 'method',
  hostile: true,
  needsObserver: true,
  variants: (builder) =>
    ['GET', 'PUT'].map((method) => ({
      name: method,
      steps: [builder.deliver(builder.event(), { method })],
      expect: 'not-allowed',
      effects: { exactly: 0 },
    })),
})
