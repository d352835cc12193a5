import type { Job } from '#contract/sending.ts'

/** Ten deliveries, none of them sent yet. */
export const sampleJob: Job = {
  id: 4,
  createdAt: 1_794_000_000_000,
  endedAt: null,
  state: 'running',
  reason: null,
  filter: null,
  url: null,
  sign: { how: 'auto' },
  pace: { how: 'one_by_one', stopOnFailure: false },
  edited: false,
  scenario: null,
  total: 10,
  waiting: 10,
  inFlight: 0,
  ok: 0,
  failed: 0,
  skipped: 0,
  uncertain: 0,
  results: [],
}
