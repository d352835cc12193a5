import { GitCompareArrows, History } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Delivery, DeliverySummary } from '#contract/models.ts'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/Empty.tsx'
import { Note } from '../../components/Note.tsx'
import { Shown } from '../../components/Shown.tsx'
import { cut } from '../../components/text/visible.ts'
import { ClockTime } from '../../components/Time.tsx'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient, useQuery } from '../../platform/use-client.ts'
import { openDelivery } from '../deliveries/store.ts'
import { BodyDiffView } from './BodyDiffView.tsx'
import { HeaderDiffTable } from './HeaderDiffTable.tsx'
import { previousLike } from './previous.ts'
import { deliverySide } from './side.ts'
import { setBase, useDiff } from './store.ts'
import './Diff.css'

/** How this delivery differs from another. */
export function DiffTab({ delivery }: { readonly delivery: Delivery }) {
  const baseId = useDiff((state) => state.baseId)
  return (
    <>
      <Chooser delivery={delivery} baseId={baseId} />
      {baseId === null || baseId === delivery.id ? (
        <Empty
          icon={<GitCompareArrows aria-hidden />}
          title={baseId === null ? 'Compare this delivery with another' : 'This is the base'}
          actions={
            baseId === null && (
              <Button hint="c" onClick={() => setBase(delivery.id)}>
                Take this one as the base
              </Button>
            )
          }
        >
          {baseId === null
            ? 'Headers and body, by what they mean and byte by byte. Choose the other one above, or take this one as the base and open another.'
            : 'Open another delivery: here it is shown how that one differs from this one.'}
        </Empty>
      ) : (
        <Compared key={baseId} baseId={baseId} after={delivery} />
      )}
    </>
  )
}

function Chooser({
  delivery,
  baseId,
}: {
  readonly delivery: Delivery
  readonly baseId: number | null
}) {
  const client = useClient()
  const [typed, setTyped] = useState('')
  const [none, setNone] = useState(false)
  const previous = useAction(async () => {
    const found = await previousLike(client, delivery)
    setNone(found === null)
    if (found) setBase(found.id)
  })
  const id = /^#?\d{1,12}$/.test(typed.trim()) ? Number(typed.trim().replace('#', '')) : 0
  return (
    <>
      <form
        className="diff-choose"
        onSubmit={(event) => {
          event.preventDefault()
          if (id > 0) setBase(id)
        }}
      >
        <Button
          icon={<History aria-hidden />}
          busy={previous.busy}
          onClick={() => previous.start()}
        >
          Previous like this
        </Button>
        <label>
          or number
          <input
            className="mono"
            inputMode="numeric"
            placeholder={baseId === null ? '' : String(baseId)}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <Button type="submit" disabled={id === 0 || id === delivery.id}>
          Compare
        </Button>
      </form>
      {none && <Note tone="info">None before this one has the same type and target.</Note>}
      {previous.error !== null && (
        <Note tone="invalid" alert>
          {sentence(previous.error)}
        </Note>
      )}
    </>
  )
}

function Compared({ baseId, after }: { readonly baseId: number; readonly after: Delivery }) {
  const { state, reload } = useQuery('deliveries.get', { id: baseId })
  if (state.phase === 'loading')
    return <div className="detail-coming" role="status" aria-label="Loading the base" />
  if (state.phase === 'failed') {
    return (
      <Note tone="invalid" alert action={<Button onClick={reload}>Try again</Button>}>
        {state.message}
      </Note>
    )
  }
  return <TwoDeliveries before={state.value} after={after} />
}

function TwoDeliveries({ before, after }: { readonly before: Delivery; readonly after: Delivery }) {
  const client = useClient()
  const sides = useMemo(
    () => [deliverySide(client, before), deliverySide(client, after)] as const,
    [after, before, client],
  )
  return (
    <>
      <div className="diff-sides">
        <Side word="Before" row={before} />
        <Side word="After" row={after} />
        <Button
          onClick={() => {
            setBase(after.id)
            openDelivery(before.id)
          }}
        >
          The other way round
        </Button>
      </div>
      <BodyDiffView before={sides[0]} after={sides[1]} />
      <HeaderDiffTable
        before={before.headers}
        after={after.headers}
        brand={after.brand}
        oneThroughTunnel={before.via !== after.via}
      />
    </>
  )
}

function Side({ word, row }: { readonly word: string; readonly row: DeliverySummary }) {
  return (
    <p>
      <span className="diff-side">{word}</span> <b>#{row.id}</b>{' '}
      <Shown text={cut(row.title === '' ? `${row.method} ${row.path}` : row.title, 120)} />{' '}
      <span className="dim">
        <ClockTime at={row.receivedAt} />
      </span>
    </p>
  )
}
