import { defineCase } from '../rehearsal/define.ts'

const bytes = 50 * 1024 * 1024

const transmission = { pieceBytes: 1024 * 1024, pauseMs: 5 }

export default defineCase({
  id: 'T4',
  group: 'transport',
  title: '50 MiB without a signature',
  level: 'SHOULD',
  basis: null,
  expected:
    'Reject with 4xx or close the connection before the whole body is read, and keep running',
  why: 'A handler that reads bodies of any size can be made to run out of memory, and the orders that arrive meanwhile are lost.',
  fix: 'body-limit',
  hostile: true,
  load: true,
  variants: (builder) => {
    const event = builder.event()
    // White space after the JSON text, so that only its size is wrong.
    const body = new Uint8Array(bytes).fill(0x20)
    body.set(builder.deliver(event).body)
    return [
      {
        name: '50 MiB',
        // Paused, so that a handler that rejects the head responds before everything is sent.
        steps: [builder.deliver(event, { body, signature: null, transmission })],
        expect: 'refuse',
      },
    ]
  },
})
