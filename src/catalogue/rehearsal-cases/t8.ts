import { defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'T8',
  group: 'transport',
  title: 'Time and redirects of all responses',
  level: 'SHOULD',
  basis: null,
  expected: '95 % of the responses within 5 s, none after 15 s, and no redirect',
  why: 'Senders stop waiting after a few seconds and count the delivery as failed, even if the order was stored. A redirected POST often loses its body.',
  fix: 'respond-fast',
})
