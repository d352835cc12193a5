import type { Bus } from '../bus.ts'
import type { Log } from '../ports.ts'
import type { WriterEvent } from './writer-api.ts'

/** Passes on what the writer thread says unasked. */
export function publishStoreEvents(bus: Bus, log: Log, event: WriterEvent): void {
  switch (event.event) {
    case 'arrived':
      bus.push('deliveries.arrived', { rows: event.rows, stats: event.stats })
      break
    case 'changed':
      bus.push('deliveries.changed', { rows: event.rows })
      break
    case 'removed':
      bus.push('deliveries.removed', { reason: 'retention', stats: event.stats })
      break
    case 'indexed':
      bus.push('deliveries.indexed', { stats: event.stats })
      break
    case 'indexFailing':
      if (event.reason === null) log.info('the search index can be written again')
      else log.warn(`the search index cannot go on: ${event.reason}`)
      break
    case 'failing':
      if (event.reason === null) log.info('the store can be written again')
      else log.warn(`the store cannot be written: ${event.reason}`)
      break
  }
}
