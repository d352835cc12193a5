import { Hourglass, SearchX } from 'lucide-react'
import { Button } from '#renderer/components/Button.tsx'
import { Empty } from '#renderer/components/Empty.tsx'
import { count, counted } from '#renderer/components/text/numbers.ts'
import { cut, visible } from '#renderer/components/text/visible.ts'
import { listAllIntegrations } from '../../authorization/store.ts'
import { useShell } from '../../shell/store.ts'
import { useLog } from '../scope/scope.ts'
import { hasEnded } from './reading.ts'
import { queryOf, setFilterText, useDeliveries } from '../store.ts'

/** No row to show under a filter: none yet, none at all, or none that the search index knows of so far. */
export function NoMatch() {
  const filter = useDeliveries(queryOf)
  const filterText = useDeliveries((state) => state.filter)
  const scoped = useDeliveries((state) => state.integrationId !== null)
  const { asOf, complete, searched } = useDeliveries((state) => state.search)
  const live = useLog() === null
  const stopped = useDeliveries((state) => state.stopped)
  const stats = useShell((state) => state.stats)
  const behind = Math.max(0, stats.newestId - stats.indexedId)
  const words = <code className="mono">{visible(cut(filter, 200))}</code>
  if (!complete) {
    const share = Math.floor(searched * 100)
    return (
      <Empty
        icon={<Hourglass aria-hidden />}
        title={stopped ? 'Nothing found before the search was stopped' : 'Nothing found so far'}
      >
        {share} % of {counted(stats.deliveries, 'delivery', 'deliveries')} searched for {words}.
        {stopped && ' “Go on” above looks at the rest.'}
      </Empty>
    )
  }
  return (
    <Empty
      icon={<SearchX aria-hidden />}
      title="Nothing matches"
      actions={
        <>
          {filterText !== '' && <Button onClick={() => setFilterText('')}>Clear the filter</Button>}
          {scoped && (
            <Button onClick={() => listAllIntegrations(true)}>Show all integrations</Button>
          )}
        </>
      }
    >
      {live
        ? `${counted(stats.deliveries, 'delivery is', 'deliveries are')} kept, and none matches `
        : 'No delivery of this log matches '}
      {words}.{' '}
      {live && (asOf === null || !hasEnded(filter, asOf)) && 'New ones that do will appear here.'}
      {live &&
        behind > 0 &&
        ` The search index is ${count(behind)} behind: what is found by text, ids or duplicates may still come.`}
    </Empty>
  )
}
