import type { Header } from '#contract/models.ts'
import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'T10',
  group: 'transport',
  title: 'Compression, Expect and charset',
  level: 'INFO',
  basis: null,
  expected: 'Accept or reject, without a server error',
  why: 'The API documentation describes none of these, but proxies add them. A handler that fails on one cannot run behind such a proxy.',
  fix: 'transport',
  variants: (builder) => {
    const compressed = builder.event()
    return [
      {
        name: 'gzip',
        steps: [
          builder.deliver(compressed, {
            body: builder.gzip(JSON.stringify(compressed)),
            signed: true,
            headers: (headers): Header[] => [...headers, ['Content-Encoding', 'gzip']],
          }),
        ],
        expect: 'no-server-error',
      },
      {
        name: 'Expect: 100-continue',
        steps: [
          builder.deliver(builder.event(), {
            headers: (headers): Header[] => [...headers, ['Expect', '100-continue']],
          }),
        ],
        expect: 'no-server-error',
      },
      {
        name: 'charset parameter',
        steps: [
          builder.deliver(builder.event(), { contentType: 'application/json; charset=utf-8' }),
        ],
        expect: 'no-server-error',
      },
    ]
  },
})
