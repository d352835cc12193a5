import { z } from 'zod'
import {
  LogEndpoint,
  LogHead,
  LogIntegration,
  LogRehearsal,
  LogRehearsalCase,
  LogRehearsalRequest,
  LogRun,
  LogToken,
} from '#contract/event-log.ts'
import type { CaseResult, Rehearsal, RehearsalRequest } from '#contract/rehearsal.ts'
import { PageEnd, PageSummary } from '#contract/log-page.ts'
import { AppError } from '#engine/platform/errors.ts'
import {
  type Blocks,
  readContent,
  smallBytesOf,
  type Content,
  firstLine,
  readLine,
} from './content.ts'

export interface PageLog {
  readonly head: LogHead
  readonly end: PageEnd | null
  readonly endpoints: readonly LogEndpoint[]
  readonly integrations: readonly LogIntegration[]
  readonly tokens: readonly LogToken[]
  readonly runs: readonly LogRun[]
  /** Newest first. */
  readonly rehearsals: readonly PageRehearsal[]
  /** In order of id. */
  readonly rows: readonly PageSummary[]
  /** Throws `not_found`. */
  readonly row: (id: number) => PageSummary
  /** Throws `not_found`. The most recently read contents are cached. */
  readonly content: (id: number) => Content
  /** Messages about missing or damaged data. */
  readonly problems: readonly string[]
}

export interface PageRehearsal {
  readonly rehearsal: Rehearsal
  readonly results: readonly CaseResult[]
  /** The requests of a case. They are read on demand. */
  readonly requests: (caseId: string) => RehearsalRequest[]
}

/** Maximum number of cached contents. A trace reads many of them repeatedly. */
const contentsKept = 64

/** Reads the head, and the first line of each delivery. Throws `log_unreadable`. */
export function openLog(blocks: Blocks): PageLog {
  const head = readLine(LogHead, blocks.of('head')[0]?.() ?? '')
  if (head === null) {
    throw new AppError(
      'log_unreadable',
      'The beginning of this event log is missing or damaged. Get the file again, or request a new export.',
    )
  }
  const texts = new Map<number, () => string>()
  const rows: PageSummary[] = []
  let unreadable = 0
  for (const text of blocks.of('delivery')) {
    const row = readLine(PageSummary, firstLine(text()))
    if (row === null || texts.has(row.id)) unreadable += 1
    else {
      texts.set(row.id, text)
      rows.push(row)
    }
  }
  rows.sort((a, b) => a.id - b.id)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const end = readLine(PageEnd, blocks.of('end')[0]?.() ?? '')
  const contents = new Map<number, Content>()
  const about = aboutIn(blocks)
  const rehearsals = rehearsalsIn(blocks)

  return {
    head,
    end,
    ...about,
    rehearsals: rehearsals.found,
    rows,
    row: (id) => byId.get(id) ?? gone(id),
    content: (id) => {
      const kept = contents.get(id)
      contents.delete(id)
      const content = kept ?? readContent((texts.get(id) ?? gone(id))())
      contents.set(id, content)
      const [oldest] = contents.keys()
      if (contents.size > contentsKept && oldest !== undefined) contents.delete(oldest)
      return content
    },
    problems: [
      ...problemsOf({ end, found: rows.length, unreadable }),
      ...(rehearsals.damaged
        ? ['A part of the rehearsals cannot be read: the file was changed or damaged.']
        : []),
    ],
  }
}

function gone(id: number): never {
  throw new AppError('not_found', `Delivery ${id} is not in this file.`)
}

const About = z.discriminatedUnion('kind', [LogIntegration, LogEndpoint, LogToken, LogRun])

type AboutLines = Pick<PageLog, 'endpoints' | 'integrations' | 'tokens' | 'runs'>

function aboutIn(blocks: Blocks): AboutLines {
  const lines = blocks.of('about').flatMap((text) => readLine(About, text()) ?? [])
  return {
    endpoints: lines.filter((line) => line.kind === 'endpoint'),
    integrations: lines.filter((line) => line.kind === 'integration'),
    tokens: lines.filter((line) => line.kind === 'token'),
    runs: lines.filter((line) => line.kind === 'run'),
  }
}

/** Reads the rehearsals, and the first line of each of their cases. */
function rehearsalsIn(blocks: Blocks): { found: PageRehearsal[]; damaged: boolean } {
  const cases = new Map<number, { readonly result: CaseResult; readonly text: () => string }[]>()
  let damaged = false
  for (const text of blocks.of('case')) {
    const line = readLine(LogRehearsalCase, firstLine(text()))
    if (line === null) damaged = true
    else cases.set(line.rehearsal, [...(cases.get(line.rehearsal) ?? []), { ...line, text }])
  }
  const found = blocks.of('rehearsal').flatMap((text): PageRehearsal[] => {
    const line = readLine(LogRehearsal, text())
    if (line === null) {
      damaged = true
      return []
    }
    const { rehearsal } = line
    const its = cases.get(rehearsal.id) ?? []
    return [
      {
        rehearsal,
        results: its.map(({ result }) => result),
        requests: (caseId) =>
          its
            .filter(({ result }) => result.id === caseId)
            .flatMap((each) => each.text().split('\n').slice(1).flatMap(requestIn)),
      },
    ]
  })
  return { found: found.toSorted((a, b) => b.rehearsal.id - a.rehearsal.id), damaged }
}

function requestIn(text: string): RehearsalRequest[] {
  const request = readLine(LogRehearsalRequest, text)?.request
  if (!request) return []
  const { body, responseBody } = request
  return [{ ...request, body: smallBytesOf(body), responseBody: smallBytesOf(responseBody) }]
}

interface Found {
  readonly end: PageEnd | null
  readonly found: number
  readonly unreadable: number
}

function problemsOf({ end, found, unreadable }: Found): string[] {
  const problems: string[] = []
  if (unreadable > 0) {
    problems.push(
      unreadable === 1
        ? 'One delivery cannot be read: the file was changed or damaged.'
        : `${unreadable} deliveries cannot be read: the file was changed or damaged.`,
    )
  }
  if (end === null) {
    problems.push('The file is truncated: its end and later deliveries are missing.')
  } else if (end.deliveries > found + unreadable) {
    problems.push(`${end.deliveries - found - unreadable} deliveries are missing from this file.`)
  }
  return problems
}
