import type { AttemptSummary, Job } from '#contract/sending.ts'

/** A re-send of delivery 7 with a 200 response. */
export const summary: AttemptSummary = {
  id: 3,
  deliveryId: 7,
  draftId: null,
  jobId: null,
  forwardId: null,
  kind: 'resend',
  sentAt: 1_794_000_000_000,
  method: 'POST',
  url: 'http://127.0.0.1:3000/hook',
  status: 200,
  error: null,
  durationMs: 12,
  edited: false,
  bodyEdited: false,
  signing: 'kept',
  secretName: null,
  comparison: null,
  previousAttemptId: null,
  tryNumber: 1,
  requestBytes: 20,
  responseBytes: 2,
}

/** Ten deliveries, none of them sent yet. */
export const job: Job = {
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
