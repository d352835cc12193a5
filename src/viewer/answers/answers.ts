import type { CallName, CallOutput, ParsedInput } from '#contract/calls.ts'
import { deliveryCalls } from '#contract/deliveries.ts'
import { sendingCalls } from '#contract/sending.ts'
import type { Settings } from '#contract/models.ts'
import { AppError, badInput } from '#engine/errors.ts'
import { traceOf } from '#engine/trace/collect.ts'
import type { PageLog } from '../log/log.ts'
import { createPageSearch } from '../search/search.ts'
import { attemptBody, attemptOf, attemptsOf } from './attempts.ts'
import { bodyOf, deliveryOf, headersOf, slice } from './deliveries.ts'
import { endpointsOf } from './endpoints.ts'
import { relatedTo } from './related.ts'
import { capturedReport, diagnose } from './signature.ts'
import { snapshotOf } from './snapshot.ts'
import { suggestionsIn } from './suggest.ts'
import { timelineOf } from './timeline.ts'
import { createTraceRecords } from './trace-source.ts'

type Answers = {
  readonly [N in CallName]?: (input: ParsedInput<N>) => CallOutput<N> | Promise<CallOutput<N>>
}

/** Answers a call of the contract from the records of the page. Rejects with an `AppError`. */
export type Answer = (name: string, input: unknown) => Promise<unknown>

/** The engine of the page: what reads deliveries is answered, and nothing else. `now`: milliseconds since the epoch. */
export function createAnswers(
  log: PageLog,
  now: () => number,
  theme: Settings['theme'] = 'system',
): Answer {
  const search = createPageSearch(log, endpointsOf(log))
  const records = createTraceRecords(log)
  const newestId = log.rows.at(-1)?.id ?? 0

  const answers: Answers = {
    'app.snapshot': () => snapshotOf(log, theme),
    'deliveries.page': (input) => search.page({ ...input, asOf: input.asOf ?? now() }),
    // Nothing arrives here.
    'deliveries.newer': () => ({ rows: [], upTo: newestId }),
    'deliveries.since': () => [],
    'deliveries.get': ({ id }) => deliveryOf(log, id),
    'deliveries.body': (input) => bodyOf(log, input),
    'deliveries.headers': ({ id }) => headersOf(log, id),
    'deliveries.signature': ({ id }) => capturedReport(log, id),
    'deliveries.diagnose': ({ id, candidate }) => diagnose(log, id, candidate),
    'deliveries.trace': ({ id }) => {
      const source = records.source()
      const from = source.read(id)
      return from ? { ...traceOf(source, from), indexedId: newestId } : gone(id)
    },
    'deliveries.related': ({ id }) => relatedTo(log, records, id) ?? gone(id),
    'deliveries.timeline': (input) => timelineOf(log, search, input, now()),
    'filters.saved': () => [],
    'filters.suggest': (input) => suggestionsIn(log, input),
    'attempts.list': (input) => attemptsOf(log, input),
    'attempts.get': ({ id }) => attemptOf(log, id).attempt,
    'attempts.body': (input) => slice(attemptBody(log, input), input.offset, input.length),
  }
  return async (name, input) => answer(answers, name, input)
}

/** What is asked here, and not all of the contract: it would be a tenth of the page. The snapshot takes nothing. */
const described = { ...deliveryCalls, ...sendingCalls }

function gone(id: number): never {
  throw new AppError('not_found', `Delivery ${id} is not in this file.`)
}

async function answer(answers: Answers, name: string, input: unknown): Promise<unknown> {
  const known = Object.entries(answers).find(([key]) => key === name)
  if (!known) {
    throw new AppError('bad_input', 'This file only shows: that cannot be done here.')
  }
  const call = Object.entries(described).find(([key]) => key === name)
  const parsed = call?.[1].input.safeParse(input)
  if (parsed?.success === false) throw badInput(parsed.error)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each answer takes what its own call was parsed to
  return (known[1] as (input: unknown) => unknown)(parsed?.data)
}
