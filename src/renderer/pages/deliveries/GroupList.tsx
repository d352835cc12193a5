import { deliveryTitle } from '#parts/EventIcon.tsx'
import type { DeliveryGroup } from '#contract/deliveries.ts'
import { withTerm } from '#contract/filter/edit.ts'
import { formatCount, formatElapsed } from '#shared/text/format.ts'
import { useKeys } from '#client/command-registry.ts'
import {
  groupings,
  type Grouping,
  queryOf,
  setFilterText,
  useDeliveries,
} from '#client/state/deliveries.ts'
import { Empty, EmptyFailure } from '#kit/Note.tsx'
import { Time, useNow } from '#kit/Time.tsx'
import { Icons } from '#kit/icons.tsx'
import { shortText } from '#kit/text/visible.ts'
import { useState } from 'react'
import { Button } from '#kit/Button.tsx'
import { ChipMenu } from './filter/FilterMenus.tsx'
import { useGroups } from '#client/state/use-counts.ts'

const labels: Readonly<Record<Grouping, string>> = {
  cause: 'Cause',
  tab: 'Tab',
  endpoint: 'Endpoint',
  type: 'Type',
}

function setGrouping(grouping: Grouping | null): void {
  useDeliveries.setState({ grouping })
}

/** The button that groups the list. */
export function GroupMenu() {
  const grouping = useDeliveries((state) => state.grouping)
  const [open, setOpen] = useState(false)
  useKeys({ group: () => setOpen(true) })
  return (
    <ChipMenu
      icon={Icons.List}
      words={grouping === null ? 'Group' : `Group: ${labels[grouping]}`}
      label="Group the list"
      selected={grouping !== null}
      className="check-menu w-(--measure-aside)"
      button={{
        'aria-keyshortcuts': 'g',
        title: 'Group the list (G)',
        kind: 'plain',
        small: false,
      }}
      open={open}
      onOpenChange={setOpen}
    >
      {[null, ...groupings].map((value) => (
        <Button
          key={value}
          kind="quiet"
          className="w-full"
          aria-pressed={grouping === value}
          onClick={() => {
            setGrouping(value)
            setOpen(false)
          }}
        >
          <span className="flex-1">
            {value === null ? 'No groups' : `By ${labels[value].toLowerCase()}`}
          </span>
        </Button>
      ))}
    </ChipMenu>
  )
}

/** The groups of the listed deliveries. Opening one filters the list. */
export function GroupList({ by }: { by: Grouping }) {
  const filter = useDeliveries(queryOf)
  const { result, message, by: counted } = useGroups({ filter, by })
  useKeys({ close: () => setGrouping(null) })
  if (message !== null) {
    return (
      <EmptyFailure
        title="Could not group the deliveries"
        onRetry={() => useDeliveries.setState({ grouping: null })}
      >
        {message}
      </EmptyFailure>
    )
  }
  if (result === null || counted !== by) return null
  if (result.groups.length === 0) {
    return (
      <Empty
        icon={Icons.List}
        title="Nothing to group"
        actions={<Button onClick={() => setGrouping(null)}>Show the list</Button>}
      >
        {by === 'cause' ? 'No delivery in the list failed.' : 'No delivery in the list has a tab.'}
      </Empty>
    )
  }
  return (
    <ul
      className="list-frame relative min-h-0 overflow-auto data-stale:grayscale"
      aria-label={`Groups by ${labels[by].toLowerCase()}`}
    >
      {result.groups.map((group) => (
        <GroupRow key={group.key} group={group} />
      ))}
    </ul>
  )
}

function GroupRow({ group: { label, term, count, last } }: { group: DeliveryGroup }) {
  const text = useDeliveries((state) => state.filter)
  const now = useNow()
  return (
    <li>
      <button
        type="button"
        className="grid min-h-10 w-full grid-cols-[calc(var(--space-11)+var(--space-4))_minmax(0,1fr)_auto] items-center gap-5 border-b border-b-line-soft px-5 text-left hover:bg-hover [&>.mono]:text-right"
        onClick={() => {
          setGrouping(null)
          setFilterText(withTerm(text, term))
        }}
      >
        <b className="mono">{formatCount(count)}</b>
        <span className="cut">
          <b>{shortText(label, 160)}</b>{' '}
          <span className="text-mid">{shortText(deliveryTitle(last), 200)}</span>
        </span>
        <Time className="text-xs text-dim" at={last.receivedAt}>
          {formatElapsed(Math.max(0, now - last.receivedAt), 1)} ago
        </Time>
      </button>
    </li>
  )
}
