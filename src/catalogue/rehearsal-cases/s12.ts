import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'S12',
  group: 'signature',
  title: 'Signed with the previous secret',
  level: 'INFO',
  basis: null,
  expected: 'Accept or reject, as you have declared for the rotation of the secret',
  why: 'While a secret is rotated, events with both signatures arrive. A handler that knows only one loses orders; one that accepts the old one forever makes the rotation useless.',
  fix: 'require-secret',
  needsSecret: true,
  variants: (builder) => {
    const { previousSecret: key } = builder
    if (key === null) return []
    const event = builder.event()
    return [
      {
        name: 'previous secret',
        steps: [
          builder.deliver(event, { signature: builder.sign(JSON.stringify(event), { key }) }),
        ],
        expect: 'no-server-error',
      },
    ]
  },
  skipped: 'No previous secret is known.',
})
