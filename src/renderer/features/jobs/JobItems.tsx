import { Check, CircleDashed, CircleHelp, CornerUpRight, Loader, Minus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { itemStates, type Job, type JobItem } from '#contract/sending.ts'
import { Text, Row, Stack } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { count } from '../../ui/text/numbers.ts'
import { statusWord } from '../../ui/text/status.ts'
import { cut } from '../../ui/text/visible.ts'
import { showAttempt } from '../attempts/index.ts'
import { deliveryAddress } from '../../routes/deliveries.ts'
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
    <Stack as="section" column align="start" gap={4} aria-labelledby="job-items">
      <Row as="header" wrap align="center" gap={4} gapX={5} wide>
        <Text as="h3" tone="dim" size="xs" weight="semibold" id="job-items">
          Deliveries
        </Text>
        <Row wrap gap={2} role="group" aria-label="Show">
          {possible.map((name) => (
            <Button key={name} small aria-pressed={name === chosen} onClick={() => setChosen(name)}>
              {name === 'all' ? 'all' : name === 'ok' ? expectedWord(job) : jobItemLabels[name]}{' '}
              <Text tone="mid" weight="normal">
                {count(countOf(job, name))}
              </Text>
            </Button>
          ))}
        </Row>
      </Row>
      <List key={chosen} job={job} shown={chosen} />
    </Stack>
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
      <ol className="wide framed lined" aria-label="Deliveries of the job">
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
      <span className="cut">{title !== null && <Shown text={cut(title, 200)} />}</span>
      <Text tone="state" weight="semibold">
        {status === null ? jobItemLabels[state] : `${status} ${statusWord(status)}`}
      </Text>
      <span className="cut dim">{error !== null && <Shown text={cut(error, 400)} />}</span>
      {attemptId !== null && (
        <Button
          kind="quiet"
          small
          icon={<CornerUpRight aria-hidden />}
          onClick={() => showAttempt(deliveryId, attemptId)}
        >
          attempt
        </Button>
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
