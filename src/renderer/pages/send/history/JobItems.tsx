import { Icons } from '#kit/icons.tsx'
import { useEffect, useState } from 'react'
import { itemStates } from '#contract/constants.ts'
import type { Job, JobItem } from '#contract/sending.ts'
import { Button } from '#kit/Button.tsx'
import { Shown } from '#kit/Shown.tsx'
import { formatCount } from '#shared/text/format.ts'
import { statusWord } from '#kit/text/status.ts'
import { WhenLoaded } from '#kit/Note.tsx'
import { useQuery } from '#client/use-client.ts'
import { showAttempt } from '#parts/send/resend.ts'
import { deliveryAddress } from '#client/addresses/deliveries.ts'
import { expectedWord } from '#parts/send/JobStrip.tsx'

type ItemFilter = 'all' | JobItem['state']

const itemStateLooks = {
  ok: { tone: 'valid', icon: Icons.Check, word: '2xx response' },
  failed: { tone: 'invalid', icon: Icons.X, word: 'failed' },
  uncertain: { tone: 'warning', icon: Icons.CircleHelp, word: 'uncertain' },
  claimed: { tone: 'info', icon: Icons.Loader, word: 'in progress' },
  waiting: { tone: 'unsigned', icon: Icons.CircleDashed, word: 'waiting' },
  skipped: { tone: 'unsigned', icon: Icons.Minus, word: 'skipped' },
} as const satisfies Record<JobItem['state'], object>

const pageSize = 200
/** How many items match a filter. */
export function countOf(job: Job, filter: ItemFilter): number {
  if (filter === 'all') return job.total
  return filter === 'claimed' ? job.inFlight : job[filter]
}

/** The first filter: uncertain items, because the user must decide about them, then failed ones, otherwise all. */
export function initialFilter(job: Job): ItemFilter {
  if (job.uncertain > 0) return 'uncertain'
  return job.failed > 0 ? 'failed' : 'all'
}

/** The deliveries of a job in order, each with its result. */
export function JobItems({ job }: { job: Job }) {
  const [filter, setFilter] = useState<ItemFilter>(() => initialFilter(job))
  const filters = (['all', ...itemStates] as const).filter(
    (name) => name === 'all' || name === filter || countOf(job, name) > 0,
  )
  return (
    <section className="flex flex-col items-start gap-4" aria-labelledby="job-items">
      <header className="flex w-full flex-wrap items-center gap-4 gap-x-5">
        <h3 className="text-xs font-semibold text-dim" id="job-items">
          Deliveries
        </h3>
        <div className="flex flex-wrap gap-2" role="group" aria-label="Show">
          {filters.map((name) => (
            <Button key={name} small aria-pressed={name === filter} onClick={() => setFilter(name)}>
              {name === 'all'
                ? 'all'
                : name === 'ok'
                  ? expectedWord(job)
                  : itemStateLooks[name].word}{' '}
              <span className="font-normal text-mid">{formatCount(countOf(job, name))}</span>
            </Button>
          ))}
        </div>
      </header>
      <ItemList key={filter} job={job} filter={filter} />
    </section>
  )
}

function ItemList({ job, filter }: { job: Job; filter: ItemFilter }) {
  /** The position before each page up to the current one. */
  const [starts, setStarts] = useState<readonly number[]>([-1])
  const query = useQuery('jobs.items', {
    id: job.id,
    states: filter === 'all' ? [] : [filter],
    after: starts.at(-1) ?? -1,
    limit: pageSize,
  })
  const { reload } = query
  // Each push creates a new job object, so a new object means that the job changed.
  useEffect(reload, [job, reload])
  return (
    <WhenLoaded query={query}>
      {(rows) => (
        <>
          {rows.length === 0 ? (
            <p className="text-dim">No deliveries.</p>
          ) : (
            <ol className="framed lined w-full" aria-label="Deliveries of the job">
              {rows.map((item) => (
                <Item key={item.position} item={item} />
              ))}
            </ol>
          )}
          <div className="flex gap-3">
            {starts.length > 1 && (
              <Button kind="quiet" onClick={() => setStarts(starts.slice(0, -1))}>
                Previous {pageSize}
              </Button>
            )}
            {starts.length * pageSize < countOf(job, filter) && (
              <Button
                kind="quiet"
                onClick={() => setStarts([...starts, rows.at(-1)?.position ?? -1])}
              >
                Next {pageSize}
              </Button>
            )}
          </div>
        </>
      )}
    </WhenLoaded>
  )
}

function Item({ item }: { item: JobItem }) {
  const { deliveryId, title, attemptId, status, error, state } = item
  const { tone, icon: StateIcon, word } = itemStateLooks[state]
  return (
    <li
      className="grid min-h-(--control) grid-cols-[auto_var(--measure-number)_2fr_var(--measure-field)_1fr_auto] items-center gap-4 px-5 py-0 text-s [contain-intrinsic-height:var(--row)] [content-visibility:auto]"
      data-tone={tone}
      data-testid="job-item"
    >
      <span className="disc" data-tone={tone}>
        <StateIcon aria-hidden strokeWidth={2.8} />
      </span>
      <a href={deliveryAddress(deliveryId, null, '')} title="Open this delivery">
        #{deliveryId}
      </a>
      <span className="cut">{title !== null && <Shown text={title} max={200} />}</span>
      <span className="font-semibold text-tone">
        {status === null ? word : `${status} ${statusWord(status)}`}
      </span>
      <span className="cut text-dim">{error !== null && <Shown text={error} max={400} />}</span>
      {attemptId !== null && (
        <Button
          kind="quiet"
          small
          icon={Icons.CornerUpRight}
          onClick={() => showAttempt(deliveryId, attemptId)}
        >
          Show attempt
        </Button>
      )}
    </li>
  )
}
