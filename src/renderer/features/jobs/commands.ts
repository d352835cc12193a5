import { sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { say } from '../../platform/toasts.ts'
import { confirming } from '../targets/index.ts'
import { jobAddress } from '../../routes/jobs.ts'
import { takeJob } from '../../state/jobs.ts'

/** Nothing new begins; what is under way is waited for. */
export function pauseJob(client: Client, id: number): void {
  client.call('jobs.pause', { id }).then(takeJob, refused)
}

/** Goes on. `uncertain`: what becomes of those that may have arrived already. */
export function resumeJob(client: Client, id: number, uncertain: 'skip' | 'send'): void {
  client.call('jobs.resume', { id, uncertain }).then(takeJob, refused)
}

/** Nothing more of it is sent. */
export function cancelJob(client: Client, id: number): void {
  client.call('jobs.cancel', { id }).then(takeJob, refused)
}

/** Another job for what failed of one that is over, sent in the same way; its page is opened. */
export async function resendFailed(client: Client, id: number): Promise<void> {
  const job = await confirming(client, () => client.call('jobs.resendFailed', { id }))
  if (job === null) return
  takeJob(job)
  location.assign(jobAddress(job.id))
}

function refused(error: unknown): void {
  say('invalid', sentence(error))
}
