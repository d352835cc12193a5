import type { EventLog } from '#contract/logs.ts'
import { printable } from '../printable.ts'
import { counted, facts, moment, sizeText } from './text.ts'

/** What the state of a log means. */
export function stateText(state: EventLog['state']): string {
  switch (state) {
    case 'whole':
      return 'whole, and as it was written'
    case 'cut_off':
      return 'cut off: its end is missing'
    case 'changed':
      return 'changed since it was written'
    case 'unproven':
      return 'has nothing to prove that it is whole'
  }
}

/** One log on a line. */
export function logLine(log: EventLog): string {
  const { id, name, deliveries, firstAt, lastAt, state, redacted } = log
  const span = firstAt === null || lastAt === null ? '' : `${moment(firstAt)} to ${moment(lastAt)}`
  return [
    String(id).padStart(4),
    printable(name),
    counted(deliveries, 'delivery', 'deliveries'),
    span,
    state === 'whole' ? '' : stateText(state),
    redacted === false ? 'not redacted' : '',
  ]
    .filter((part) => part !== '')
    .join('  ')
}

/** All that is known of a log, with what is missing in it. */
export function logText(log: EventLog): string {
  const { app, exportedAt, importedAt, format, version, redacted, scope, bytes } = log
  return [
    logLine(log),
    facts([
      ['state', stateText(log.state)],
      ['format', version === null ? format : `${format}, version ${version}`],
      ['written by', app],
      ['written', exportedAt === null ? 'not known' : moment(exportedAt)],
      ['imported', moment(importedAt)],
      ['redacted', redacted === null ? 'not known' : redacted ? 'yes' : 'no'],
      ['filter', scope?.filter || '-'],
      ['size', sizeText(bytes)],
      ['SHA-256', log.sha256],
    ]),
    ...log.problems.map(printable),
  ].join('\n')
}
