import { defineEventType, row } from '../define.ts'
import { field, line, text } from '../payload.ts'

export default defineEventType({
  type: 'GUEST_VERIFIED',
  label: 'Guest verified',
  fired:
    'Fired when a guest successfully verifies identity at a location (for example after a phone verification flow). `targetUuid` = customer UUID.',
  target: { uuid: 'customerUuid', id: null },
  hasData: 'yes',
  data: [
    {
      ...row(
        'oldCustomerId',
        'string',
        'Previous customer ID if the guest was merged with an existing record.',
        'Previous customer',
        'id',
      ),
      conditional: true,
    },
    row(
      'isFirstTime',
      'boolean',
      "Whether this is the guest's first verification at this location.",
      'First time',
      'flag',
    ),
  ],
  view: {
    icon: 'user-check',
    stamp: { word: 'Verified', sign: null },
    heading: [],
    subheading: ['locationName'],
    amount: null,
    parts: [
      {
        kind: 'choice',
        of: 'data.isFirstTime',
        cases: {
          true: 'The first verification of this guest at this location.',
          false: 'Not the first verification of this guest at this location.',
        },
        other: null,
      },
      {
        kind: 'choice',
        of: 'data.oldCustomerId',
        cases: {},
        other: 'Merged with an existing record of the guest.',
      },
    ],
  },
  facts: { guest: ['targetUuid'], others: ['data.oldCustomerId'] },
  summarise({ data }) {
    return line(
      'Guest verified',
      field(data, 'isFirstTime') === true ? 'first time here' : '',
      text(field(data, 'oldCustomerId')) === '' ? '' : 'merged with an earlier record',
    )
  },
  sample: ({ uuid, between }) => ({
    targetUuid: uuid(),
    data: { oldCustomerId: `${between(30_000, 39_999)}`, isFirstTime: true },
  }),
})
