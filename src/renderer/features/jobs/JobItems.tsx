import { Check, CircleDashed, CircleHelp, CornerUpRight, Loader, Minus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { itemStates, type Job, type JobItem } from '#contract/sending.ts'
import { Button } from '../../components/Button.tsx'
import { Note } from '../../components/Note.tsx'
import { Shown as Text } from '../../components/Shown.tsx'
import { count } from '../../components/text/numbers.ts'
import { statusWord } from '../../components/text/status.ts'
import { cut } from '../../components/text/visible.ts'
import { showAttempt } from '../attempts/resend.ts'
import { deliveryAddress } from '../deliveries/address.ts'
import { expectedWord, jobItemLabels } from './labels.ts'
import { sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { latestOnly } from '../../platform/latest-only.ts'
import { useClient } from '../../platform/use-client.ts'

/** Which items are listed: all, or those of one state. */
type Shown = 'all' | JobItem['state']

/** Items asked for at once, and the most that the contract gives. */
const itemsAtOnce = 200
const itemsMost = 1000

/** The list with its beginning as it is now; what stands behind the end of that stays. `asked`: how many were asked for. */
export function withFreshStart(
  held: readonly JobItem[],
  fresh: readonly JobItem[],
  asked: number,
): JobItem[] {
  const last = fresh.at(-1)?.position
  // Fewer than were asked for: there are no more.
  if (fresh.length < asked || last === undefined) return [...fresh]
  return [...fresh, ...held.filter(({ position }) => position > last)]
}

/** How many items there are of a kind. */
export function countOf(job: Job, shown: Shown): number {
  switch (shown) {
    case 'all':
      return job.total
    case 'claimed':
      return job.underWay
    case 'waiting':
    case 'uncertain':
    case 'ok':
    case 'failed':
    case 'skipped':
      return job[shown]
  }
}

/** What is worth looking at first: what one has to decide about, what failed, else all. */
export function firstShown(job: Job): Shown {
  if (job.uncertain > 0) return 'uncertain'
  return job.failed > 0 ? 'failed' : 'all'
}

/** The deliveries of a job in their order, with what came of each. */
export function JobItems({ job }: { readonly job: Job }) {
  const [chosen, setChosen] = useState<Shown>(() => firstShown(job))
  const possible = (['all', ...itemStates] as const).filter(
    (name) => name === 'all' || name === chosen || countOf(job, name) > 0,
  )
  return (
    <section className="job-items" aria-labelledby="job-items">
      <header>
        <h3 className="section-title" id="job-items">
          Deliveries
        </h3>
        <div className="job-states" role="group" aria-label="Show">
          {possible.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === chosen}
              onClick={() => setChosen(name)}
            >
              {name === 'all' ? 'all' : name === 'ok' ? expectedWord(job) : jobItemLabels[name]}{' '}
              <span>{count(countOf(job, name))}</span>
            </button>
          ))}
        </div>
      </header>
      <List key={chosen} job={job} shown={chosen} />
    </section>
  )
}

function List({ job, shown }: { readonly job: Job; readonly shown: Shown }) {
  const { rows, failure, ready, loadMore } = useItems(job, shown)
  if (failure !== null) {
    return (
      <Note tone="invalid" alert>
        {failure}
      </Note>
    )
  }
  if (!ready) return <div className="detail-coming" role="status" aria-label="Loading" />
  if (rows.length === 0) return <p className="dim">None.</p>
  const more = countOf(job, shown) - rows.length
  return (
    <>
      <ol className="plain-card job-item-list" aria-label="Deliveries of the job">
        {rows.map((item) => (
          <Item key={item.position} item={item} />
        ))}
      </ol>
      {more > 0 && (
        <Button kind="quiet" onClick={loadMore}>
          Show more: {count(more)}
        </Button>
      )}
    </>
  )
}

function Item({ item }: { readonly item: JobItem }) {
  const { deliveryId, title, attemptId, status, error, state } = item
  return (
    <li className="job-item" data-tone={toneOf(state)} data-testid="job-item">
      <span className="disc" data-tone={toneOf(state)}>
        <StateIcon state={state} />
      </span>
      <a href={deliveryAddress(deliveryId, null, '')} title="Open this delivery">
        #{deliveryId}
      </a>
      <span className="cut">{title !== null && <Text text={cut(title, 200)} />}</span>
      <span className="job-item-word">
        {status === null ? jobItemLabels[state] : `${status} ${statusWord(status)}`}
      </span>
      <span className="cut dim">{error !== null && <Text text={cut(error, 400)} />}</span>
      {attemptId !== null && (
        <button
          type="button"
          className="link-button"
          onClick={() => showAttempt(deliveryId, attemptId)}
        >
          <CornerUpRight aria-hidden /> attempt
        </button>
      )}
    </li>
  )
}

function toneOf(state: JobItem['state']): 'valid' | 'invalid' | 'missing' | 'unsigned' | 'info' {
  switch (state) {
    case 'ok':
      return 'valid'
    case 'failed':
      return 'invalid'
    case 'uncertain':
      return 'missing'
    case 'claimed':
      return 'info'
    case 'waiting':
    case 'skipped':
      return 'unsigned'
  }
}

function StateIcon({ state }: { readonly state: JobItem['state'] }) {
  switch (state) {
    case 'ok':
      return <Check aria-hidden strokeWidth={3} />
    case 'failed':
      return <X aria-hidden strokeWidth={3} />
    case 'uncertain':
      return <CircleHelp aria-hidden strokeWidth={2.6} />
    case 'claimed':
      return <Loader aria-hidden strokeWidth={2.6} />
    case 'waiting':
      return <CircleDashed aria-hidden strokeWidth={2.6} />
    case 'skipped':
      return <Minus aria-hidden strokeWidth={3} />
  }
}

interface Items {
  readonly rows: readonly JobItem[]
  /** Null: they are here. */
  readonly failure: string | null
  readonly ready: boolean
  readonly loadMore: () => void
}

interface Held {
  readonly rows: readonly JobItem[]
  readonly failure: string | null
  readonly ready: boolean
}

/** The items of a job, those of one state or all, asked for anew as the job goes on. For a component keyed by job and `shown`. */
function useItems(job: Job, shown: Shown): Items {
  const client = useClient()
  const [held, setHeld] = useState<Held>({ rows: [], failure: null, ready: false })
  const size = useRef(0)
  const run = useRef<((wanted: null) => void) | null>(null)

  useEffect(() => {
    size.current = held.rows.length
  }, [held])
  useEffect(() => {
    run.current ??= latestOnly<null>(async () => {
      const limit = Math.min(Math.max(size.current, itemsAtOnce), itemsMost)
      try {
        const fresh = await ask(client, job.id, shown, -1, limit)
        setHeld(({ rows }) => ({
          rows: withFreshStart(rows, fresh, limit),
          failure: null,
          ready: true,
        }))
      } catch (error) {
        setHeld((before) => ({ ...before, failure: sentence(error) }))
      }
    })
    run.current(null)
    // The job is another object with each push: then something of it changed.
  }, [client, job, shown])

  function loadMore(): void {
    const last = held.rows.at(-1)?.position ?? -1
    ask(client, job.id, shown, last, itemsAtOnce).then(
      (more) => setHeld((before) => ({ ...before, rows: [...before.rows, ...more] })),
      (error: unknown) => setHeld((before) => ({ ...before, failure: sentence(error) })),
    )
  }

  return { ...held, loadMore }
}

function ask(
  client: Client,
  id: number,
  shown: Shown,
  after: number,
  limit: number,
): Promise<JobItem[]> {
  return client.call('jobs.items', { id, states: shown === 'all' ? [] : [shown], after, limit })
}
