import type { z } from 'zod'
import type { EventLogOutput } from '#contract/cli-output/event-logs.ts'
import type { EventLog } from '#contract/logs.ts'
import { visible } from '#shared/text/visible.ts'
import { formatSize } from '#shared/text/format.ts'
import { facts, formatTime } from './text.ts'

/** Whether an event log is complete, as text. */
export function stateText(state: EventLog['state']): string {
  switch (state) {
    case 'whole':
      return 'complete'
    case 'cut_off':
      return 'truncated'
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

/** An event log as `--json` prints it. `known`: it was already imported. */
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

/** An event log as text, with its problems. */
export function eventLogText(log: EventLog): string {
  const { app, exportedAt, importedAt, format, version, redacted, scope, bytes } = log
  return [
    facts([
      ['ID', String(log.id)],
      ['Name', log.name],
      ['Deliveries', String(log.deliveries)],
      ['Rehearsals', String(log.rehearsals ?? 0)],
      ['State', stateText(log.state)],
      ['Format', version === null ? format : `${format}, version ${version}`],
      ['Exported by', app],
      ['Exported', exportedAt === null ? 'unknown' : formatTime(exportedAt)],
      ['Imported', formatTime(importedAt)],
      ['Redacted', redacted === null ? 'unknown' : redacted ? 'yes' : 'no'],
      ['Filter', scope?.filter || 'none'],
      ['Size', formatSize(bytes)],
      ['SHA-256', log.sha256],
    ]),
    ...log.problems.map(visible),
  ].join('\n')
}
