import { useState } from 'react'
import { withTerm } from '#contract/filter/edit.ts'
import type { RelayArrival, RelayView } from '#contract/relay.ts'
import { formatCount, plural } from '#shared/text/format.ts'
import { toastError } from '../../platform/toasts.ts'
import { useClient } from '../../platform/use-client.ts'
import { listAllIntegrations } from '../../state/authorization.ts'
import { setFilterText, useDeliveries } from '../../state/deliveries.ts'
import { useEndpointRules } from '../../state/endpoint-rules.ts'
import { awayFilter } from './texts.ts'
import { useRelays } from '../../state/relays.ts'
import { openResendDialog, selectAllMatching } from '../../state/selection.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Inbox, RotateCw, X } from '../../ui/icons.tsx'
import { Row, Text } from '../../ui/Layout.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { clockMinutes, dayTime, shortDate } from '../../ui/text/time.ts'
import { escapeControls, truncate } from '../../ui/text/visible.ts'
import { Time } from '../../ui/Time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useGroups } from '../../state/use-counts.ts'
import './AwayStrip.css'

/** What the relays brought while this desktop was away, above the list. Each stays until the user dismisses it. */
export function AwayStrip() {
  const relays = useRelays((state) => state.relays)
  return relays.map(
    (relay) =>
      relay.away !== null && (
        <Away key={relay.id} relay={relay} away={relay.away} several={relays.length > 1} />
      ),
  )
}

interface Props {
  readonly relay: RelayView
  readonly away: RelayArrival
  /** There are other relays, so the name is shown. */
  readonly several: boolean
}

/** Lists what a filter selects, of any integration. */
function show(filter: string): void {
  if (useDeliveries.getState().integrationId !== null) listAllIntegrations(true)
  setFilterText(filter)
}

function Away({ relay, away, several }: Props) {
  const client = useClient()
  const now = useNow()
  const [asking, setAsking] = useState(false)
  const filter = awayFilter(relay)
  const isShown = useDeliveries((state) => state.filter === filter)
  const forwardable = useForwardable(filter, away.deliveries)
  const { deliveries, from, to } = away

  function dismiss(): void {
    client.call('relay.dismiss', { id: relay.id, what: 'away' }).catch(toastError)
  }
  const sameDay = new Date(from).toDateString() === new Date(to).toDateString()
  return (
    <section className="away" aria-label="Received while you were away" data-testid="away">
      <Row wrap align="center" gap={2} gapX={4}>
        <Inbox aria-hidden className="tone-state" />
        <Text as="p" grow shrink>
          <b>{formatCount(deliveries)}</b> arrived while you were away{' '}
          <Text tone="mid" size="s">
            <Time at={from}>{dayTime(from, now)}</Time>
            {shortDate(from) !== shortDate(to) && (
              <>
                {' '}
                to <Time at={to}>{sameDay ? clockMinutes(to) : dayTime(to, now)}</Time>
              </>
            )}
            {several && (
              <>
                , relay <Shown text={truncate(relay.name, 40)} />
              </>
            )}
          </Text>
        </Text>
        <Row gap={3} align="center">
          <Button small onClick={() => show(isShown ? '' : filter)}>
            {isShown ? 'Show all' : 'Show'}
          </Button>
          {forwardable !== null && (
            <Button small onClick={() => setAsking(true)}>
              Forward…
            </Button>
          )}
          <IconButton label="Dismiss" onClick={dismiss}>
            <X aria-hidden />
          </IconButton>
        </Row>
      </Row>
      {/* Once they are listed, the problems of the list are theirs. */}
      {!isShown && <AwayGroups filter={filter} />}
      {asking && forwardable !== null && (
        <ForwardQuestion
          relay={relay}
          count={forwardable.count}
          others={deliveries - forwardable.count}
          oldest={dayTime(from, now)}
          onClose={() => setAsking(false)}
          onShow={() => show(filter)}
          onDismiss={dismiss}
          onResend={() => {
            show(forwardable.filter)
            selectAllMatching({ filter: forwardable.filter, upTo: away.lastId })
            openResendDialog()
          }}
        />
      )}
    </section>
  )
}

interface Forwardable {
  readonly count: number
  /** Selects them. */
  readonly filter: string
}

/** Those of the endpoints with a forward target. Others would go to the listener of Tabscope. Null: none. */
function useForwardable(filter: string, total: number): Forwardable | null {
  const forwards = useEndpointRules((state) => state.forwards)
  const { result } = useGroups(forwards.length === 0 ? null : { filter, by: 'endpoint' })
  const groups = (result?.groups ?? []).filter(({ last }) =>
    forwards.some(({ endpointId, enabled }) => enabled && endpointId === last.endpointId),
  )
  if (groups.length === 0) return null
  const count = groups.reduce((sum, group) => sum + group.count, 0)
  const terms = groups.map(({ term }) => term).join(' or ')
  return { count, filter: count === total ? filter : `${filter} (${terms})` }
}

const maxGroups = 4

/** What is wrong with them, by outcome and cause. Each filters the list. */
function AwayGroups({ filter }: { readonly filter: string }) {
  const { result, message } = useGroups({ filter, by: 'problem' })
  if (result === null) return message === null && <p className="away-groups dim">…</p>
  const { groups, complete } = result
  const rest = groups.length - maxGroups
  if (groups.length === 0) {
    return <p className="away-groups dim">{complete ? 'Nothing is wrong with them.' : '…'}</p>
  }
  return (
    <ul className="away-groups" aria-label="What is wrong with them">
      {groups.slice(0, maxGroups).map(({ key, label, count, term }) => (
        <li key={key}>
          <button
            type="button"
            title={`Show these deliveries: ${label}`}
            onClick={() => show(withTerm(filter, term))}
          >
            <b>{formatCount(count)}</b> {escapeControls(truncate(label, 80))}
          </button>
        </li>
      ))}
      {rest > 0 && <li className="dim">and {plural(rest, 'other problem', 'other problems')}</li>}
    </ul>
  )
}

interface QuestionProps {
  readonly relay: RelayView
  readonly count: number
  /** How many have no forward target. */
  readonly others: number
  /** When the first of them was received. */
  readonly oldest: string
  readonly onClose: () => void
  readonly onShow: () => void
  readonly onDismiss: () => void
  readonly onResend: () => void
}

/** A backlog is never forwarded without this question. */
function ForwardQuestion(props: QuestionProps) {
  const { relay, count, others, oldest, onClose, onShow, onDismiss, onResend } = props
  const left =
    others > 0
      ? ` The endpoints of ${plural(others, 'other delivery', 'other deliveries')} have no forward target.`
      : ''
  const after = (run: () => void) => () => {
    onClose()
    run()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Send ${plural(count, 'delivery', 'deliveries')} to your handler?`}
      description={`Your handler gets them late: the oldest is from ${oldest}. A job re-sends them in the order received, at the pace that you set, and you can pause it. What arrives from ${escapeControls(truncate(relay.name, 60))} from now on is not affected.${left}`}
    >
      <div className="dialog-actions">
        <Button kind="quiet" onClick={after(onDismiss)}>
          Dismiss
        </Button>
        <Button onClick={after(onShow)}>Only show</Button>
        <Button kind="primary" icon={<RotateCw aria-hidden />} onClick={after(onResend)}>
          Re-send as a job…
        </Button>
      </div>
    </Dialog>
  )
}
