import type { Bus } from '../bus.ts'
import type { SenderEvent } from './messages.ts'

/** Tells the interfaces what the sender thread says. */
export function takeSent(bus: Bus, event: SenderEvent): void {
  switch (event.event) {
    case 'attempts':
      bus.push('attempts.made', { rows: event.rows })
      break
    case 'job':
      bus.push('jobs.changed', { job: event.job, removed: false })
      break
    case 'health':
      bus.push('forwards.health', event.health)
      break
  }
}
