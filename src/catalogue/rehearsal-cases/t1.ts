import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'T1',
  group: 'transport',
  title: 'A chunked body without a length',
  level: 'MUST',
  basis: 'RFC 9112',
  expected: 'Accept',
  why: 'Proxies and tunnels forward bodies in chunks. A handler that relies on Content-Length sees an empty body and loses every order.',
  fix: 'transport',
  variants: (builder) => [
    {
      name: 'chunked',
      steps: [builder.deliver(builder.event(), { chunked: true })],
      expect: 'accept',
    },
  ],
})
