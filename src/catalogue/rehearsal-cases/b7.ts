import { defineCase } from '../rehearsal/define.ts'

const levels = 20_000

export default defineCase({
  id: 'B7',
  group: 'body',
  title: 'Signed bodies that are not an event',
  level: 'SHOULD',
  basis: null,
  expected: 'Reject with 4xx, and keep running',
  why: 'A valid signature does not make a body well formed. A handler that fails on one is retried or disabled by its sender, and orders are lost.',
  fix: 'parse-safely',
  hostile: true,
  variants: (builder) => {
    const signed = (name: string, change: (text: string) => string) => {
      const event = builder.event()
      const body = change(JSON.stringify(event))
      return {
        name,
        steps: [builder.deliver(event, { body, signed: true })],
        expect: 'reject' as const,
      }
    }
    return [
      signed('null', () => 'null'),
      signed('an empty list', () => '[]'),
      signed('truncated JSON', (text) => text.slice(0, text.length >> 1)),
      signed('20,000 levels', () => '['.repeat(levels) + ']'.repeat(levels)),
    ]
  },
})
