import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'G3',
  group: 'events',
  title: 'Targets without a UUID',
  level: 'MUST',
  basis: 'Event catalogue',
  quote: '`targetUuid` is null (categories have no UUID); `targetId` = category ID.',
  expected: 'Accept',
  why: 'A handler that looks up every target by its UUID never sees a changed category or a scanned code, and shows old prices.',
  fix: 'tolerate-fields',
  variants: (builder) => [
    {
      name: 'CATEGORY_UPDATED with targetUuid null',
      steps: [builder.deliver(builder.event('CATEGORY_UPDATED', { targetUuid: null }))],
      expect: 'accept',
    },
    // The table of the common payload: present only when the event targets a resource that has a UUID.
    {
      name: 'CATEGORY_UPDATED without targetUuid',
      steps: [builder.deliver(builder.event('CATEGORY_UPDATED', { targetUuid: undefined }))],
      expect: 'accept',
    },
    {
      name: 'QR_SCANNED without targetUuid',
      steps: [builder.deliver(builder.event('QR_SCANNED', { targetUuid: undefined }))],
      expect: 'accept',
    },
  ],
})
