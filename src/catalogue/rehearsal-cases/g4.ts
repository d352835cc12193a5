import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'G4',
  group: 'events',
  title: 'OPEN_TAB with and without data',
  level: 'MUST',
  basis: 'OPEN_TAB note',
  quote:
    'The fields listed below are the definition; a test should not assert that OPEN_TAB data is empty.',
  expected: 'Accept both',
  why: 'The API documentation contradicts itself here. A handler that follows only one of its tables loses opened tabs, and bills them to nobody.',
  fix: 'tolerate-fields',
  variants: (builder) => [
    { name: 'with data', steps: [builder.deliver(builder.event('OPEN_TAB'))], expect: 'accept' },
    {
      name: 'with {}',
      steps: [builder.deliver(builder.event('OPEN_TAB', { data: {} }))],
      expect: 'accept',
    },
  ],
})
