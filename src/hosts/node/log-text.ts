import type { z } from 'zod'
import type { EventLogOutput } from '#contract/cli-output/event-logs.ts'
import type { EventLog } from '#contract/logs.ts'
import { printable } from '../printable.ts'
import { facts, formatTime, sizeText } from './text.ts'

/** Whether an event log is complete, in words. */
export function stateText(state: EventLog['state']): string {
  switch (state) {
    case 'whole':
      return 'complete'
    case 'cut_off':
      return 'cut off'
    case 'changed':
      return 'changed since export'
    case 'unproven':
      return 'unverified'
  }
}

const states = {
  whole: 'complete',
  cut_off: 'cut_off',
  changed: 'changed',
  unproven: 'unverified',
} as const

/** An event log as `--json` prints it. `known`: it had been imported before. */
export function eventLogOutput(log: EventLog, known?: boolean): z.infer<typeof EventLogOutput> {
  const { exportedAt, importedAt, firstAt, lastAt, scope, state, ...rest } = log
  return {
    event: 'event_log',
    ...rest,
    exportedAt: exportedAt === null ? null : Math.floor(exportedAt),
    importedAt: Math.floor(importedAt),
    firstAt: firstAt === null ? null : Math.floor(firstAt),
    lastAt: lastAt === null ? null : Math.floor(lastAt),
    filter: scope?.filter ?? null,
    state: states[state],
    ...(known === undefined ? {} : { known }),
  }
}

/** All that is known of an event log, with what is missing in it. */
export function eventLogText(log: EventLog): string {
  const { app, exportedAt, importedAt, format, version, redacted, scope, bytes } = log
  return [
    facts([
      ['id', String(log.id)],
      ['name', log.name],
      ['deliveries', String(log.deliveries)],
      ['state', stateText(log.state)],
      ['format', version === null ? format : `${format}, version ${version}`],
      ['exported by', app],
      ['exported', exportedAt === null ? 'unknown' : formatTime(exportedAt)],
      ['imported', formatTime(importedAt)],
      ['redacted', redacted === null ? 'unknown' : redacted ? 'yes' : 'no'],
      ['filter', scope?.filter || '-'],
      ['size', sizeText(bytes)],
      ['SHA-256', log.sha256],
    ]),
    ...log.problems.map(printable),
  ].join('\n')
}
