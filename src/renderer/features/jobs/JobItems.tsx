import { Check, CircleDashed, CircleHelp, CornerUpRight, Loader, Minus, X } from 'lucide-react'
import { useState } from 'react'
import type { Job, JobItem } from '#contract/sending.ts'
import { itemStates } from '#contract/sending.ts'
import { Button } from '../../components/Button.tsx'
import { Note } from '../../components/Note.tsx'
import { Shown as Text } from '../../components/Shown.tsx'
import { count } from '../../components/text/numbers.ts'
import { statusWord } from '../../components/text/status.ts'
import { cut } from '../../components/text/visible.ts'
import { showAttempt } from '../attempts/resend.ts'
import { deliveryAddress } from '../deliveries/address.ts'
import type { Shown } from './items.ts'
import { countOf, firstShown } from './items.ts'
import { useItems } from './use-items.ts'
import { expectedWord, itemWords } from './words.ts'

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
              {name === 'all' ? 'all' : name === 'ok' ? expectedWord(job) : itemWords[name]}{' '}
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
        {status === null ? itemWords[state] : `${status} ${statusWord(status)}`}
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
