import type { Header } from '#contract/models.ts'
import { defineCase } from '../rehearsal/define.ts'

const renamed =
  (rename: (name: string) => string) =>
  (headers: readonly Header[]): Header[] =>
    headers.map(([name, value]) => [rename(name), value])

export default defineCase({
  id: 'G7',
  group: 'events',
  title: 'Case and order of headers',
  level: 'MUST',
  basis: 'RFC 9110, Delivery headers',
  quote: 'Custom headers configured on the dashboard are sent in addition to the headers below.',
  expected: 'Accept',
  why: 'Proxies and HTTP/2 change the case and order of header names. A handler that compares them exactly rejects every event behind such a proxy.',
  fix: 'transport',
  variants: (builder) => [
    {
      name: 'lower case',
      steps: [builder.deliver(builder.event(), { headers: renamed((name) => name.toLowerCase()) })],
      expect: 'accept',
    },
    {
      name: 'upper case',
      steps: [builder.deliver(builder.event(), { headers: renamed((name) => name.toUpperCase()) })],
      expect: 'accept',
    },
    {
      name: 'reversed order',
      steps: [builder.deliver(builder.event(), { headers: (headers) => headers.toReversed() })],
      expect: 'accept',
    },
  ],
})
