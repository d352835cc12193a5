import { deliveryTitle } from '#parts/EventIcon.tsx'
import { Icons } from '#kit/icons.tsx'
import { useMemo, useState } from 'react'
import type { Delivery, DeliverySummary, SignatureReport } from '#contract/models.ts'
import { Button } from '#kit/Button.tsx'
import { Empty, ErrorNote, Note, WhenLoaded } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { ClockTime } from '#kit/Time.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient, useQuery } from '#client/use-client.ts'
import { type Scope, useLog } from '#client/state/scope.ts'
import { BodyDiffView } from './BodyDiffView.tsx'
import { HeaderDiffTable } from './HeaderDiffTable.tsx'
import {
  deliverySide,
  type DiffBase,
  type DiffSide,
  isBase,
  setBase,
  useDiff,
  ScopeName,
} from './CompareBar.tsx'
import { printLiteral } from '#contract/filter/print.ts'
import type { Client } from '#client/client.ts'

export function DiffTab({ delivery }: { delivery: Delivery }) {
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

function PreviousButton({ delivery }: { delivery: Delivery }) {
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

function Compared({ base, after }: { base: DiffBase; after: Delivery }) {
  const log = useLog()
  const { id } = base
  const other = useQuery('deliveries.get', { id, log: base.log })
  const otherReport = useQuery('deliveries.signature', { id, log: base.log })
  const report = useQuery('deliveries.signature', { id: after.id, log })
  return (
    <WhenLoaded query={other}>
      {(delivery) => (
        <WhenLoaded query={otherReport}>
          {({ ofLog: otherOfLog }) => (
            <WhenLoaded query={report}>
              {({ ofLog }) => (
                <TwoDeliveries
                  one={{ delivery, log: base.log, ofLog: otherOfLog }}
                  other={{ delivery: after, log, ofLog }}
                />
              )}
            </WhenLoaded>
          )}
        </WhenLoaded>
      )}
    </WhenLoaded>
  )
}

interface SideOf {
  readonly delivery: Delivery
  readonly log: Scope
  readonly ofLog: SignatureReport['ofLog']
}

function isEarlier(one: SideOf, other: SideOf): boolean {
  return one.log === other.log
    ? one.delivery.id < other.delivery.id
    : one.delivery.receivedAt <= other.delivery.receivedAt
}

function TwoDeliveries({ one, other }: { one: SideOf; other: SideOf }) {
  const [before, after] = isEarlier(one, other) ? [one, other] : [other, one]
  const named = one.log !== other.log
  return (
    <>
      <div className="framed diff-sides grid grid-cols-1 items-center gap-1 px-5 py-4 wrap-anywhere">
        <Side word="Before" of={before} named={named} />
        <Side word="After" of={after} named={named} />
      </div>
      <BodyDiffView before={useSide(before)} after={useSide(after)} />
      <HeaderDiffTable
        before={before.delivery.headers}
        after={after.delivery.headers}
        oneThroughTunnel={before.delivery.via !== after.delivery.via}
      />
    </>
  )
}

function useSide({ delivery, log, ofLog }: SideOf): DiffSide {
  const client = useClient()
  return useMemo(() => deliverySide(client, delivery, log, ofLog), [client, delivery, log, ofLog])
}

interface SideProps {
  word: string
  of: SideOf
  named: boolean
}

function Side({ word, of: { delivery, log }, named }: SideProps) {
  return (
    <p>
      <span className="inline-block w-11 text-s text-dim">{word}</span> <b>#{delivery.id}</b>{' '}
      <Shown text={deliveryTitle(delivery)} max={120} /> {named && <ScopeName log={log} />}
      <span className="text-dim">
        <ClockTime at={delivery.receivedAt} />
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
