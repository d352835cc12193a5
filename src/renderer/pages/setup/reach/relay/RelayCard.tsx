import { useState } from 'react'
import type { Endpoint } from '#contract/models.ts'
import type { RelayView } from '#contract/relay.ts'
import { formatCount, formatElapsed, plural } from '#shared/text/format.ts'
import { toast } from '#kit/toasts.ts'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { filterAddress } from '#client/addresses/deliveries.ts'
import { useShell } from '#client/state/app.ts'
import { expiresSoon, expiresSoonMs, relayStateLabels } from '#client/state/relay-labels.ts'
import { capital } from '#client/state/tunnel-labels.ts'
import { Button, IconButton } from '#kit/Button.tsx'
import { Dialog, NameDialog } from '#kit/Dialog.tsx'
import { ErrorNote, ErrorText, Note } from '#kit/Note.tsx'
import { CheckField } from '#kit/Field.tsx'
import { cx } from '#kit/cx.ts'
import { Shown } from '#kit/Shown.tsx'
import { ago, dayTime, shortDate } from '#kit/text/time.ts'
import { shortText } from '#kit/text/visible.ts'
import { Time, useNow } from '#kit/Time.tsx'
import { Since, Until } from '../Live.tsx'
import { Fact } from '#kit/Table.tsx'
import { Icons, type Icon } from '#kit/icons.tsx'
import { StateMark } from '#kit/Mark.tsx'
import { useRelays } from '#client/state/live-values.ts'
import { AddCard, Slugs } from './AddCard.tsx'

/** One relay: its state, what it brought, and what the user can do with it. */
export function RelayCard({ relay }: { relay: RelayView }) {
  const client = useClient()
  const stale = useShell((shell) => shell.stale)
  const [dialog, setDialog] = useState<'rename' | 'forget' | null>(null)
  const { id, state, since, reason, enabled } = relay
  const name = shortText(relay.name, 80)
  const pause = useAction(async () => {
    await client.call('relay.update', { id, enabled: !enabled })
  })
  const connect = useAction(async () => {
    await client.call('relay.connect', { id })
  })
  return (
    <section
      className="framed grid gap-5 px-7 py-6"
      aria-label={name}
      data-testid="relay"
      data-state={state}
    >
      <header className="flex flex-wrap items-center gap-3 gap-x-5">
        <h2 className="text-l wrap-anywhere">
          <Shown text={relay.name} max={80} />
        </h2>
        <span className="baseline inline-flex gap-3" data-testid="relay-state">
          <RelayMark state={state} />
          {!stale && (
            <span className="text-s text-mid">
              for <Since at={since} />
            </span>
          )}
        </span>
        <div className="ml-auto flex flex-wrap items-center gap-3">
          {enabled && state !== 'live' && state !== 'replaced' && (
            <Button
              icon={Icons.RefreshCw}
              busy={connect.busy || state === 'connecting'}
              onClick={() => connect.start()}
            >
              Connect now
            </Button>
          )}
          <Button
            icon={enabled ? Icons.Pause : Icons.Play}
            busy={pause.busy}
            onClick={() => pause.start()}
          >
            {enabled ? 'Pause' : 'Resume'}
          </Button>
          <IconButton label={`Rename ${name}`} onClick={() => setDialog('rename')}>
            <Icons.Pencil />
          </IconButton>
          <IconButton label={`Forget ${name}`} onClick={() => setDialog('forget')}>
            <Icons.Trash2 />
          </IconButton>
        </div>
      </header>
      <ErrorNote error={pause.error ?? connect.error} />
      {/* The stream was created anew, so that the position means nothing. */}
      {state === 'replaced' ? (
        <Note
          tone="warning"
          action={
            <Button kind="primary" busy={connect.busy} onClick={() => connect.start()}>
              Read from the start
            </Button>
          }
        >
          <b>Read the new stream from its start?</b>{' '}
          {reason !== null && <Shown text={reason} max={400} />} Everything in it is stored here
          once. What you already have stays, and nothing is forwarded.
        </Note>
      ) : (
        reason !== null && (
          <p className="wrap-anywhere select-text" data-testid="relay-reason">
            <Shown text={reason} max={600} />
            {relay.nextTryAt !== null && (
              <span className="whitespace-nowrap text-mid">
                {' '}
                Next try in <Until at={relay.nextTryAt} />.
              </span>
            )}
          </p>
        )
      )}
      <Facts relay={relay} />
      <ForwardSwitch relay={relay} />
      {dialog === 'rename' && (
        <NameDialog
          title={`Rename ${name}`}
          description="Only on this computer."
          action="Rename"
          name={relay.name}
          onSave={async (next) => void (await client.call('relay.update', { id, name: next }))}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'forget' && <ForgetDialog relay={relay} onClose={() => setDialog(null)} />}
    </section>
  )
}

function Facts({ relay }: { relay: RelayView }) {
  const now = useNow()
  const { position, deliveries, skipped, servers, user, endpoints, lastReceivedAt } = relay
  const urgent = expiresSoon(relay, now)
  return (
    <dl className="grid grid-cols-label-1 gap-3 gap-x-5">
      <Fact name="Lag">
        <span className={cx(urgent && 'font-semibold text-warning')} data-testid="relay-lag">
          {lagText(relay, now)}
        </span>
        <span className="text-mid">, at position {formatCount(position)}</span>
      </Fact>
      <Fact name="Deliveries">
        {deliveries === 0 ? (
          <span className="text-mid">none stored yet</span>
        ) : (
          <a href={filterAddress(relayFilter(relay))}>{formatCount(deliveries)} stored</a>
        )}
      </Fact>
      {skipped > 0 && (
        <Fact name="Skipped">{plural(skipped, 'message', 'messages')} that cannot be read</Fact>
      )}
      {lastReceivedAt !== null && (
        <Fact name="Last received">
          <Time at={lastReceivedAt}>{ago(lastReceivedAt, now)}</Time>
          <span className="text-mid">, by any receiver</span>
        </Fact>
      )}
      <Fact name="Endpoints">
        <Slugs slugs={endpoints} />
      </Fact>
      <Fact name={servers.length === 1 ? 'Server' : 'Servers'}>
        <span className="mono select-text">
          <Shown text={servers.join(', ')} max={400} />
        </span>
        <span className="text-mid">
          {' '}
          as <Shown text={user} max={80} />
        </span>
      </Fact>
    </dl>
  )
}

function ForwardSwitch({ relay: { id, forward } }: { relay: RelayView }) {
  const client = useClient()
  const change = useAction(async (next: boolean) => {
    await client.call('relay.update', { id, forward: next })
  })
  return (
    <div className="grid gap-2 border-t border-dashed border-line-strong pt-5">
      <CheckField
        label="Forward what arrives from now on"
        note="Sends each new delivery to the forward targets of its endpoint. What arrived while you were away is never forwarded by itself. The receiver has responded already, so the response of a target is only recorded."
        checked={forward}
        onChange={change.start}
      />
      <ErrorText error={change.error} />
    </div>
  )
}

function ForgetDialog(props: { relay: RelayView; onClose: () => void }) {
  const { relay, onClose } = props
  const client = useClient()
  const [withDeliveries, setWithDeliveries] = useState(false)
  const forget = useAction(async () => {
    const { deleted } = await client.call('relay.forget', {
      id: relay.id,
      deliveries: withDeliveries,
    })
    onClose()
    const name = shortText(relay.name, 80)
    toast(
      'valid',
      withDeliveries
        ? `${name} forgotten, and ${plural(deleted, 'delivery', 'deliveries')} deleted.`
        : `${name} forgotten. Its deliveries are still here.`,
    )
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Forget ${shortText(relay.name, 60)}?`}
      description="Disconnects, and deletes the key and the position from this computer. The relay and other desktops are not changed. To follow it again, you need an invitation."
    >
      {relay.deliveries > 0 && (
        <div className="mt-5 grid">
          <CheckField
            label={`Also delete ${relay.deliveries === 1 ? 'its delivery' : `its ${formatCount(relay.deliveries)} deliveries`}`}
            note="With notes, tags and attempts, pinned ones too. This cannot be undone."
            checked={withDeliveries}
            onChange={setWithDeliveries}
          />
        </div>
      )}
      <ErrorText error={forget.error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" busy={forget.busy} onClick={() => forget.start()}>
          {withDeliveries ? 'Forget and delete' : 'Forget'}
        </Button>
      </div>
    </Dialog>
  )
}

const icons = {
  paused: Icons.Pause,
  connecting: Icons.LoaderCircle,
  live: Icons.Check,
  offline: Icons.Unplug,
  refused: Icons.Ban,
  replaced: Icons.Replace,
} as const satisfies Record<RelayView['state'], Icon>

/** The state of a relay as an icon and a word. */
export function RelayMark({ state }: Pick<RelayView, 'state'>) {
  const stale = useShell((shell) => shell.stale)
  if (stale) return <StateMark tone="unsigned" icon={Icons.CircleQuestionMark} word="Unknown" />
  const { word, tone } = relayStateLabels[state]
  return <StateMark tone={tone} icon={icons[state]} word={capital(word)} />
}

/** The relays that this desktop follows, and the field that adds one. */
export function Relays() {
  const relays = useRelays((state) => state.relays)
  return (
    <>
      {relays.map((relay) => (
        <RelayCard key={relay.id} relay={relay} />
      ))}
      <AddCard first={relays.length === 0} />
    </>
  )
}

/** Which relays bring deliveries of an endpoint, with their state. Nothing if none does. */
export function EndpointRelays({ endpoint }: { endpoint: Endpoint }) {
  const now = useNow()
  const relays = useRelays((state) => state.relays).filter((relay) =>
    bringsEndpoint(relay, endpoint.slug),
  )
  return relays.map((relay) => (
    <div
      className="well mt-3 flex flex-wrap items-center gap-2 gap-x-4"
      key={relay.id}
      data-testid="endpoint-relay"
    >
      <span className="grid flex-none text-dim" title="Deliveries also come from this relay">
        <Icons.RadioTower />
      </span>
      <span className="min-w-0 wrap-anywhere">
        Relay{' '}
        <a href="#/setup/reach/relay">
          <Shown text={relay.name} max={40} />
        </a>
      </span>
      <span className="min-h-0 min-w-0 flex-1 text-s text-mid">
        {relay.state !== 'paused' && lagText(relay, now)}
      </span>
      <RelayMark state={relay.state} />
    </div>
  ))
}

type Lag = Pick<RelayView, 'state' | 'behind' | 'behindSince' | 'expiresAt'>

/** "Up to date", "412 messages behind, the oldest from Sat 02:14; deleted on 3 Dec, 02:14 if not read" */
export function lagText({ state, behind, behindSince, expiresAt }: Lag, now: number): string {
  const isConnected = state === 'live' || state === 'replaced'
  if (behind === null) return isConnected ? 'Unknown' : 'Unknown until it connects'
  if (behind === 0) return isConnected ? 'Up to date' : 'Up to date when it was last connected'
  const oldest = behindSince === null ? '' : `, the oldest from ${dayTime(behindSince, now)}`
  const deleted = expiresAt === null ? '' : `; ${deletedText(expiresAt, now)}`
  return `${plural(behind, 'message', 'messages')} behind${oldest}${deleted}`
}

function deletedText(expiresAt: number, now: number): string {
  const left = expiresAt - now
  if (left <= 0) return 'the relay deletes the oldest now'
  return left < expiresSoonMs
    ? `deleted in ${formatElapsed(left, 1)} if not read`
    : `deleted on ${shortDate(expiresAt)} if not read`
}

/** Whether a relay brings deliveries of an endpoint. */
export function bringsEndpoint({ endpoints }: Pick<RelayView, 'endpoints'>, slug: string): boolean {
  return endpoints.includes('*') || endpoints.includes(slug)
}

/** A filter for all deliveries of a relay. */
export function relayFilter({ name }: Pick<RelayView, 'name'>): string {
  // Always quoted: without quotation marks, `none` and `*` have a meaning.
  return `relay:"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
