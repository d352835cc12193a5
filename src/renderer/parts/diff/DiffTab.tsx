import { deliveryTitle } from '#parts/EventIcon.tsx'
import { Icons } from '#kit/icons.tsx'
import { useMemo, useState } from 'react'
import type { Delivery, DeliverySummary, SignatureReport } from '#contract/models.ts'
import { Button } from '#kit/Button.tsx'
import { Empty, ErrorNote, LoadFailure, Note, WhenLoaded } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { ClockTime } from '#kit/Time.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient, useQuery } from '#client/use-client.ts'
import { type Scope, useLog } from '#client/state/scope.ts'
import { BodyDiffView } from './BodyDiffView.tsx'
import { HeaderDiffTable } from './HeaderDiffTable.tsx'
import { deliverySide, type DiffBase, isBase, setBase, useDiff, ScopeName } from './CompareBar.tsx'
import { printLiteral } from '#contract/filter/print.ts'
import type { Client } from '#client/client.ts'

export function DiffTab({ delivery }: { readonly delivery: Delivery }) {
  const log = useLog()
  const base = useDiff((state) => state.base)
  return (
    <>
      <PreviousButton delivery={delivery} />
      {base === null || isBase(base, log, delivery.id) ? (
        <Empty
          icon={Icons.GitCompareArrows}
          title={base === null ? 'Compare this delivery with another' : 'This delivery is the base'}
          actions={
            base === null && (
              <Button hint="c" onClick={() => setBase({ log, id: delivery.id })}>
                Use as base
              </Button>
            )
          }
        >
          {base === null
            ? 'Compares headers and body, by value and by line. Use this one as the base, then open another and press C.'
            : 'Open another delivery and press C to see how it differs from this one.'}
        </Empty>
      ) : (
        <Compared key={`${base.log} ${base.id}`} base={base} after={delivery} />
      )}
    </>
  )
}

function PreviousButton({ delivery }: { readonly delivery: Delivery }) {
  const client = useClient()
  const log = useLog()
  const [notFound, setNotFound] = useState(false)
  const previous = useAction(async () => {
    const found = await previousLike(client, delivery, log)
    setNotFound(found === null)
    if (found) setBase({ log, id: found.id })
  })
  return (
    <>
      <div className="flex">
        <Button icon={Icons.History} busy={previous.busy} onClick={() => previous.start()}>
          Previous of this type
        </Button>
      </div>
      {notFound && <Note tone="info">No earlier delivery has the same type and target.</Note>}
      <ErrorNote error={previous.error} />
    </>
  )
}

function Compared({ base, after }: { readonly base: DiffBase; readonly after: Delivery }) {
  const query = useQuery('deliveries.get', { id: base.id, log: base.log })
  return (
    <WhenLoaded query={query}>
      {(other) => <Ordered other={other} otherLog={base.log} delivery={after} />}
    </WhenLoaded>
  )
}

const loadingBase = <div className="flex-1" role="status" aria-label="Loading the base" />

interface OrderedProps {
  readonly other: Delivery
  readonly otherLog: Scope
  readonly delivery: Delivery
}

function Ordered({ other, otherLog, delivery }: OrderedProps) {
  const log = useLog()
  const isEarlier =
    otherLog === log ? other.id < delivery.id : other.receivedAt <= delivery.receivedAt
  return isEarlier ? (
    <WithSignatures before={other} beforeLog={otherLog} after={delivery} afterLog={log} />
  ) : (
    <WithSignatures before={delivery} beforeLog={log} after={other} afterLog={otherLog} />
  )
}

function WithSignatures(props: Omit<TwoProps, 'ofLogs'>) {
  const { before, beforeLog, after, afterLog } = props
  const old = useQuery('deliveries.signature', { id: before.id, log: beforeLog })
  const fresh = useQuery('deliveries.signature', { id: after.id, log: afterLog })
  const failed = [old, fresh].find(({ state }) => state.phase === 'failed')
  if (failed?.state.phase === 'failed') {
    return <LoadFailure onRetry={failed.reload}>{failed.state.message}</LoadFailure>
  }
  if (old.state.phase !== 'ready' || fresh.state.phase !== 'ready') return loadingBase
  return <TwoDeliveries {...props} ofLogs={[old.state.value.ofLog, fresh.state.value.ofLog]} />
}

interface TwoProps {
  readonly before: Delivery
  readonly beforeLog: Scope
  readonly after: Delivery
  readonly afterLog: Scope
  readonly ofLogs: readonly [SignatureReport['ofLog'], SignatureReport['ofLog']]
}

function TwoDeliveries({ before, beforeLog, after, afterLog, ofLogs }: TwoProps) {
  const client = useClient()
  const [oldOfLog, freshOfLog] = ofLogs
  const sides = useMemo(
    () =>
      [
        deliverySide(client, before, beforeLog, oldOfLog),
        deliverySide(client, after, afterLog, freshOfLog),
      ] as const,
    [after, afterLog, before, beforeLog, client, freshOfLog, oldOfLog],
  )
  return (
    <>
      <div className="framed diff-sides grid grid-cols-1 items-center gap-1 px-5 py-4 wrap-anywhere">
        <Side word="Before" row={before} log={beforeLog} named={beforeLog !== afterLog} />
        <Side word="After" row={after} log={afterLog} named={beforeLog !== afterLog} />
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

interface SideProps {
  readonly word: string
  readonly row: DeliverySummary
  readonly log: Scope
  readonly named: boolean
}

function Side({ word, row, log, named }: SideProps) {
  return (
    <p>
      <span className="inline-block w-11 text-s text-dim">{word}</span> <b>#{row.id}</b>{' '}
      <Shown text={deliveryTitle(row)} max={120} /> {named && <ScopeName log={log} />}
      <span className="text-dim">
        <ClockTime at={row.receivedAt} />
      </span>
    </p>
  )
}

/** Returns the latest earlier delivery in the same scope with the same type and target; null if there is none. */
async function previousLike(
  client: Client,
  { id, type, target }: Pick<DeliverySummary, 'id' | 'type' | 'target'>,
  log: Scope,
): Promise<DeliverySummary | null> {
  const asOf = Date.now()
  for (;;) {
    const { rows, complete } = await client.call('deliveries.page', {
      log,
      filter: filterLike({ type, target }),
      upTo: id - 1,
      asOf,
      offset: 0,
      limit: 1,
    })
    if (rows[0]) return rows[0]
    if (complete) return null
  }
}

/** Returns the filter for a type and a target. `*` and `none` in their text are matched literally. */
export function filterLike({ type, target }: Pick<DeliverySummary, 'type' | 'target'>): string {
  return `${term('type', type)} ${term('target', target)}`
}

function term(field: string, value: string | null): string {
  if (value === null) return `${field}:none`
  return `${field}:${value === 'none' ? '"none"' : printLiteral(value)}`
}
