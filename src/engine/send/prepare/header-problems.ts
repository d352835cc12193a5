import type { DraftProblem, PreparedHeader } from '#contract/compose.ts'
import { problem, type Composing } from './composing.ts'
import { headerFault } from './header-faults.ts'
import { hasHeader } from './header-list.ts'
import { wrongCoding, wrongLength } from './resend-headers.ts'

/** What of the headers cannot be sent so: names and values, and framing that contradicts itself or the body (RFC 9112, 6). */
export function headerProblems(rows: readonly PreparedHeader[], of: Composing): DraftProblem[] {
  const problems: DraftProblem[] = []
  const add = (code: string, message: string, { draft }: PreparedHeader): void => {
    problems.push(problem('error', code, 'headers', message, draft))
  }
  for (const row of rows) {
    const fault = headerFault(row.name, row.value)
    if (fault) add(fault.code, fault.message, row)
  }
  const named = (lower: string): PreparedHeader[] =>
    rows.filter(({ name }) => name.toLowerCase() === lower)
  const [length, secondLength] = named('content-length')
  const [coding] = named('transfer-encoding')
  for (const row of named('content-length')) {
    if (row.value.trim() === String(of.body.byteLength)) continue
    // As it came: it said the length of a body that was whole.
    if (of.bodyUnchanged && isCaptured(row, of)) continue
    add('header.content_length', wrongLength(row.name, of.body.byteLength), row)
  }
  if (secondLength) {
    add(
      'header.content_length',
      'Content-Length stands there twice. Take one of them away.',
      secondLength,
    )
  }
  for (const row of named('transfer-encoding')) {
    if (row.value.trim().toLowerCase() === 'chunked' || isCaptured(row, of)) continue
    add('header.transfer_encoding', wrongCoding(row.name), row)
  }
  if (length && coding) {
    const message =
      'Content-Length and Transfer-Encoding cannot go together (RFC 9112, 6.2). Switch one of them off.'
    add('header.framing', message, length)
  }
  return problems
}

function isCaptured({ name, value }: PreparedHeader, { captured }: Composing): boolean {
  if (!captured || !hasHeader(captured.headers, name.toLowerCase())) return false
  return captured.headers.some((header) => header[0] === name && header[1] === value)
}
