import { eventTypeOf } from '#catalogue/catalogue.ts'
import { maxHeld } from '#contract/constants.ts'
import type { HeldDelivery, HoldRule } from '#contract/hold.ts'
import { formatCount, formatSize, plural } from '#shared/text/format.ts'
import { keyLabel } from '#kit/text/key-labels.ts'
import { toastError, toast } from '#kit/toasts.ts'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { openDelivery, deliveriesOf } from '#client/state/deliveries.ts'
import { askToRespond, useHold } from '#client/state/hold.ts'
import { Button } from '#kit/Button.tsx'
import { Countdown, Time, useNow } from '#kit/Time.tsx'
import { EventIcon } from '#parts/EventIcon.tsx'
import { Icons } from '#kit/icons.tsx'
import type { Notice } from '#kit/Strip.tsx'
import { ago } from '#kit/text/time.ts'
import { shortText } from '#kit/text/visible.ts'
import { dropHeld, heldSession, useCompose } from '#parts/composer/store.ts'
import { LearnMore } from '#parts/LearnMore.tsx'
import { useStore } from 'zustand'
import type { Client } from '#client/client.ts'
import { listAddress } from '#client/addresses/deliveries.ts'

const common = { tone: 'warning', icon: Icons.Hand } as const satisfies Partial<Notice>

/** What is held, the oldest first, what holds, and what was not held. */
export function useHoldNotices(): Notice[] {
  const { rules, held, notHeld } = useHold()
  const edits = useCompose((state) => state.held)
  const [oldest, ...others] = held.map(heldNotice)
  return [
    held.length > 1 && {
      ...common,
      key: 'all held',
      kind: 'all-held',
      sentence: <b role="status">{formatCount(held.length)} held</b>,
      actions: <AllActions held={held} />,
    },
    oldest,
    ...rules.map(ruleNotice),
    ...others,
    notHeld > 0 && {
      ...common,
      key: `not held ${notHeld}`,
      kind: 'not-held',
      icon: Icons.CircleAlert,
      sentence: (
        <span role="status">
          {plural(notHeld, 'matching delivery was', 'matching deliveries were')} not held: at most{' '}
          {maxHeld.deliveries} deliveries, {formatSize(maxHeld.bytes)} in all, are held at a time.
        </span>
      ),
    },
    ...edits.flatMap(({ key, held: edited }) =>
      edited === null || held.some(({ deliveryId }) => deliveryId === edited.deliveryId)
        ? []
        : [unsentNotice(key, edited.deliveryId)],
    ),
  ].filter((notice) => notice !== false && notice !== undefined)
}

function ruleNotice({ id, filter, at, remaining, limitMs }: HoldRule, index: number): Notice {
  const which = filter === '' ? 'every delivery' : `deliveries that match ${shortText(filter, 120)}`
  const where =
    at === 'forward' ? 'before forwarding' : `before the response, for at most ${limitMs / 1000} s`
  const until = remaining === null ? 'until you stop it' : `${formatCount(remaining)} more`
  const sentence = `Holding ${which} ${where}, ${until}`
  return {
    ...common,
    key: `rule ${id}`,
    kind: 'hold-rule',
    sentence,
    title: sentence,
    actions: (
      <>
        {index === 0 && <LearnMore page="holding" />}
        <StopButton id={id} />
      </>
    ),
  }
}

function StopButton({ id }: { id?: number }) {
  const client = useClient()
  return (
    <Button
      small
      onClick={() =>
        void client.call('hold.stop', id === undefined ? {} : { id }).catch(toastError)
      }
    >
      {id === undefined ? 'Stop holding' : 'Stop'}
    </Button>
  )
}

function AllActions({ held }: { held: readonly HeldDelivery[] }) {
  const client = useClient()
  const rules = useHold((state) => state.rules.length)
  const all = allHeld(held)
  const waiting = allHeld(held, 'response')
  return (
    <>
      {all.length > 0 && (
        <Button
          small
          kind="primary"
          aria-keyshortcuts="Shift+U"
          onClick={() => act(client, 'release')}
        >
          Release all <kbd aria-hidden>{keyLabel('U')}</kbd>
        </Button>
      )}
      {all.length > 1 && all.length > waiting.length && (
        <Button small onClick={() => act(client, 'drop')}>
          Drop all
        </Button>
      )}
      {waiting.length > 1 && (
        <Button small onClick={() => askToRespond(waiting)}>
          Respond to all…
        </Button>
      )}
      {rules > 0 && <StopButton />}
    </>
  )
}

function heldNotice(held: HeldDelivery): Notice {
  const { deliveryId, type, title, targets } = held
  return {
    ...common,
    key: `held ${deliveryId}`,
    kind: 'held',
    icon: <EventIcon name={(type === null ? undefined : eventTypeOf(type)?.view.icon) ?? ''} />,
    sentence: <HeldSentence held={held} />,
    title: shortText([title, ...targets].join('\n'), 800),
    onOpen: () => openDelivery(deliveryId),
    actions: <HeldActions held={held} />,
  }
}

function HeldSentence({ held }: { held: HeldDelivery }) {
  const { deliveryId, title, heldAt, releaseAt, targets, reason, uncertain } = held
  const now = useNow()
  const [target = 'no forward target', ...others] = targets
  const to = others.length > 0 ? `${target} and ${others.length} more` : target
  return (
    <>
      #{deliveryId}{' '}
      {releaseAt === null ? (
        <span className="text-mid">
          held <Time at={heldAt}>{ago(heldAt, now)}</Time>
        </span>
      ) : (
        <Countdown words="released in" at={releaseAt} />
      )}{' '}
      {uncertain && <span className="text-warning">May have been forwarded. </span>}
      <b>{shortText(title, 120)}</b>{' '}
      <span className="text-mid">
        {targets.length > 0 && 'to '}
        {shortText(to, 120)} {shortText(reason ?? '', 200)}
      </span>
    </>
  )
}

function HeldActions({ held }: { held: HeldDelivery }) {
  const client = useClient()
  const { deliveryId, at, targets } = held
  const isEdited = useCompose((state) => heldSession(state, deliveryId) !== undefined)
  const edit = useAction(() => startEdit(client, held))
  return (
    <>
      <Button
        small
        aria-label={`Release #${deliveryId}`}
        onClick={() => act(client, 'release', held)}
      >
        Release
      </Button>
      {(targets.length > 0 || isEdited) && (
        <Button
          small
          busy={edit.busy}
          aria-label={`${isEdited ? 'Editing' : 'Edit'} #${deliveryId}`}
          onClick={() => edit.start()}
        >
          {isEdited ? 'Editing' : 'Edit'}
        </Button>
      )}
      {at === 'forward' ? (
        <Button small aria-label={`Drop #${deliveryId}`} onClick={() => act(client, 'drop', held)}>
          Drop
        </Button>
      ) : (
        <Button small aria-label={`Respond to #${deliveryId}`} onClick={() => askToRespond([held])}>
          Respond…
        </Button>
      )}
    </>
  )
}

function unsentNotice(key: number, deliveryId: number): Notice {
  return {
    ...common,
    key: `unsent ${key}`,
    kind: 'unsent',
    icon: Icons.PenLine,
    sentence: `Your edit of #${deliveryId} was not sent: it is no longer held.`,
    actions: (
      <>
        <Button small onClick={() => openDelivery(deliveryId)}>
          Show
        </Button>
        <Button small onClick={() => dropHeld(key)}>
          Discard
        </Button>
      </>
    ),
  }
}

/** Those that an action on all of them applies to. */
export function allHeld(
  held: readonly HeldDelivery[],
  at?: HeldDelivery['at'],
): readonly HeldDelivery[] {
  return held.filter((each) => !each.uncertain && (at === undefined || each.at === at))
}

/** Releases or drops a held delivery, or all. */
export function act(client: Client, what: 'release' | 'drop', held?: HeldDelivery): void {
  client.call(`hold.${what}`, held ? { ids: [held.deliveryId] } : {}).then(({ ids }) => {
    if (!held) report(ids, what === 'release' ? 'released' : 'dropped')
  }, toastError)
}

export function report(ids: readonly number[], done: string): void {
  toast('valid', `${plural(ids.length, 'delivery', 'deliveries')} ${done}.`, { about: 'held' })
}

/** Opens the editor in the detail pane. */
export async function startEdit(client: Client, held: HeldDelivery): Promise<void> {
  try {
    await (await import('#parts/composer/open.ts')).editHeld(client, held)
    openDelivery(held.deliveryId, null)
    location.assign(listAddress(null))
  } catch (error) {
    toastError(error)
  }
}

/** The held delivery that is selected in the list. */
export function useSelectedHeld(): HeldDelivery | undefined {
  const selectedId = useStore(deliveriesOf(null), (state) => state.selectedId)
  return useHold(({ held }) => held.find(({ deliveryId }) => deliveryId === selectedId))
}
