import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'T1',
  group: 'transport',
  title: 'A chunked body without a length',
  level: 'MUST',
  basis: 'RFC 9112',
  expected: 'Accept',
  why: 'Proxies and tunnels pass bodies on in chunks. A handler that reads only Content-Length sees an empty body there, and loses every order.',
  fix: 'transport',
  variants: (kit) => [
    {
      name: 'chunked',
      steps: [kit.deliver(kit.event(), { chunked: true })],
      expect: 'accept',
    },
  ],
})
