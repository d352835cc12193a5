import type { Client } from '#client/client.ts'
import { toastError } from '#kit/toasts.ts'
import { withConfirmation } from './ConfirmTarget.tsx'
import { jobAddress } from '#client/addresses/pages.ts'
import { setJob } from '#client/state/jobs.ts'

/** Pauses a job. Requests in progress are completed. */
export function pauseJob(client: Client, id: number): void {
  client.call('jobs.pause', { id }).then(setJob, toastError)
}

/** Resumes a job. `uncertain`: whether to skip or re-send deliveries with an unknown result. */
export function resumeJob(client: Client, id: number, uncertain: 'skip' | 'send'): void {
  client.call('jobs.resume', { id, uncertain }).then(setJob, toastError)
}

/** Cancels a job. Nothing more is sent. */
export function cancelJob(client: Client, id: number): void {
  client.call('jobs.cancel', { id }).then(setJob, toastError)
}

/** Starts a job that re-sends the failed deliveries of a finished job with the same options, and opens its page. */
export async function resendFailed(client: Client, id: number): Promise<void> {
  const job = await withConfirmation(client, () => client.call('jobs.resendFailed', { id }))
  if (job === null) return
  setJob(job)
  location.assign(jobAddress(job.id))
}
