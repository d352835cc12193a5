import { defineEventType, leaves, row } from '../define.ts'
import { channel, field, line } from '../payload.ts'

export default defineEventType({
  type: 'GUEST_UNSUBSCRIBED',
  label: 'Guest unsubscribed',
  fired: 'Fired when a guest unsubscribes from a location. `targetUuid` = customer UUID.',
  target: { uuid: 'customerUuid', id: null },
  hasData: 'yes',
  data: [
    leaves(
      'handle',
      row(
        'handle',
        'string',
        'Handle (phone number or e-mail) the guest unsubscribed with.',
        'Handle',
        'text',
      ),
    ),
  ],
  view: {
    icon: 'bell-minus',
    stamp: { word: 'Unsubscribed', sign: null },
    heading: ['data.handle'],
    subheading: ['locationName'],
    amount: null,
    parts: [{ kind: 'channel', of: 'data.handle' }],
  },
  facts: { guest: ['targetUuid'], guestName: 'data.handle' },
  // The list does not show the handle, because it is a phone number or an email address.
  summarise: ({ data }) => line('Guest unsubscribed', channel(field(data, 'handle'))),
  sample: ({ uuid }) => ({ targetUuid: uuid(), data: { handle: '+1 202 555 0143' } }),
})
