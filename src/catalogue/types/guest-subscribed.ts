import { defineEventType, leaves, row } from '../define.ts'
import { channel, field, line } from '../payload.ts'

export default defineEventType({
  type: 'GUEST_SUBSCRIBED',
  label: 'Guest subscribed',
  fired:
    'Fired when a guest subscribes to a location (for example opts into marketing communications). `targetUuid` = customer UUID.',
  target: { uuid: 'customerUuid', id: null },
  hasData: 'yes',
  data: [
    leaves(
      'handle',
      row(
        'handle',
        'string',
        'Handle (phone number or e-mail) the guest subscribed with.',
        'Handle',
        'text',
      ),
    ),
  ],
  view: {
    icon: 'bell-plus',
    stamp: { word: 'Subscribed', sign: null },
    heading: ['data.handle'],
    subheading: ['locationName'],
    amount: null,
    parts: [{ kind: 'channel', of: 'data.handle' }],
  },
  facts: { guest: ['targetUuid'], guestName: 'data.handle' },
  // The list does not show the handle, because it is a phone number or an email address.
  summarise: ({ data }) => line('Guest subscribed', channel(field(data, 'handle'))),
  sample: ({ uuid }) => ({ targetUuid: uuid(), data: { handle: 'ada.miller@example.com' } }),
})
