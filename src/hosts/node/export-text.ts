import type { LogExport, LogPreview, Removal } from '#contract/logs.ts'
import { printable } from '../printable.ts'
import { counted, sizeText } from './text.ts'

/** How far an export is, on one line. */
export function progressText({ deliveries, total, bytes }: LogExport): string {
  return `${deliveries} of ${counted(total, 'delivery', 'deliveries')}, ${sizeText(bytes)}`
}

/** What came of an export, on one line. */
export function exportText({
  deliveries,
  bytes,
  path,
  name,
  redacted,
  removed,
}: LogExport): string {
  const kinds = Object.entries(removed).filter(([, values]) => values > 0)
  const taken = kinds
    .toSorted(([, a], [, b]) => b - a)
    .map(([kind, values]) => `${values} ${printable(kind)}`)
  const told = !redacted
    ? 'Not redacted: it holds all that came.'
    : taken.length === 0
      ? 'Nothing was recognized that redaction replaces.'
      : `Redacted: ${taken.join(', ')}.`
  return `${counted(deliveries, 'delivery', 'deliveries')}, ${sizeText(bytes)}: ${printable(path ?? name)}. ${told}`
}

/** What an export would hold, and what would be redacted in it, a place a line. */
export function previewText({ deliveries, bytesInAll, removals, notes }: LogPreview): string {
  return [
    `${counted(deliveries, 'delivery', 'deliveries')}, ${sizeText(bytesInAll)}`,
    ...(removals.length === 0 ? ['Nothing would be redacted.'] : ['Would be redacted:']),
    ...removals.map(removalLine),
    ...notes.map(printable),
  ].join('\n')
}

function removalLine({ kind, class: of, place, values, examples }: Removal): string {
  const [first] = examples
  const example = first
    ? `  ${first.was === null ? '' : `${printable(first.was)} `}→ ${printable(first.becomes)}`
    : ''
  return `  ${String(values).padStart(6)}  ${of.padEnd(8)}  ${printable(kind).padEnd(13)}  ${printable(place)}${example}`
}
