import type { EventLog } from '#contract/logs.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { formatSize } from '#shared/text/format.ts'
import { facts, formatTime } from './text.ts'

export function stateText(state: EventLog['state']): string {
  switch (state) {
    case 'complete':
      return 'complete'
    case 'cut_off':
      return 'truncated'
    case 'changed':
      return 'changed since export'
    case 'unverified':
      return 'unverified'
  }
}

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
    ...log.problems.map(escapeControls),
  ].join('\n')
}
