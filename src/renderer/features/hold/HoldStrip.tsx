import { type ReactNode, type RefObject, useRef } from 'react'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { maxHeld } from '#contract/constants.ts'
import type { HeldDelivery, HoldRule } from '#contract/hold.ts'
import { formatCount, formatSize, plural } from '#shared/text/format.ts'
import { keyWord } from '../../platform/keys.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { openDelivery, useDeliveries } from '../../state/deliveries.ts'
import { askToRespond, useHold } from '../../state/hold.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Countdown } from '../../ui/Countdown.tsx'
import { EventIcon } from '../../ui/EventIcon.tsx'
import { useFocusOnUnmount } from '../../ui/focus.ts'
import { Icons, type IconOrElement, iconElement } from '../../ui/icons.tsx'
import { Row, Text } from '../../ui/Layout.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { ago } from '../../ui/text/time.ts'
import { escapeControls, truncate } from '../../ui/text/visible.ts'
import { Time } from '../../ui/Time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { dropHeld, heldSession, useCompose } from '../compose/index.ts'
import { LearnMore } from '../help/index.ts'
import { allHeld, drop, dropAll, release, releaseAll, startEdit } from './actions.ts'
import './HoldStrip.css'

/** What holds deliveries, the held ones, and what was not held, above the list. */
export function HoldStrip() {
  const { rules, held } = useHold()
  const strip = useRef<HTMLElement>(null)
  return (
    <section ref={strip} className="hold" aria-label="Held deliveries" tabIndex={-1}>
      {rules.length > 0 && (
        <ul className="scroll hold-rules" aria-label="Rules that hold" data-scrolls>
          {rules.map((rule, index) => (
            <Rule key={rule.id} rule={rule} first={index === 0} />
          ))}
        </ul>
      )}
      <NotHeld />
      {held.length > 0 && (
        <>
          <All held={held} />
          <ul className="scroll hold-held" aria-label="Held" data-scrolls>
            {held.map((each) => (
              <Held key={each.deliveryId} held={each} strip={strip} />
            ))}
          </ul>
        </>
      )}
      <Unsent held={held} />
    </section>
  )
}

interface LineProps {
  readonly icon: IconOrElement
  readonly children: ReactNode
  readonly actions: ReactNode
}

function Line({ icon, children, actions }: LineProps) {
  return (
    <Row as="span" wrap align="center" gap={2} gapX={4} pad={[1, 4]}>
      <Text tone="state">{iconElement(icon)}</Text>
      <Text grow shrink anywhere>
        {children}
      </Text>
      {actions}
    </Row>
  )
}

interface RuleProps {
  readonly rule: HoldRule
  /** With the link to the guide. */
  readonly first: boolean
}

function Rule({ rule: { id, filter, at, remaining, limitMs }, first }: RuleProps) {
  const client = useClient()
  const stop = useAction(async () => void (await client.call('hold.stop', { id })))
  return (
    <li data-testid="hold-rule">
      <Line
        icon={Icons.Hand}
        actions={
          <>
            {first && <LearnMore page="holding" />}
            <Button small busy={stop.busy} onClick={() => stop.start()}>
              Stop
            </Button>
          </>
        }
      >
        Holding{' '}
        {filter === '' ? (
          'every delivery'
        ) : (
          <>
            deliveries that match{' '}
            <code className="mono size-s">
              <Shown text={truncate(filter, 120)} />
            </code>
          </>
        )}{' '}
        {at === 'forward'
          ? 'before forwarding'
          : `before the response, for at most ${limitMs / 1000} s`}
        {remaining === null ? ', until you stop it' : `, ${formatCount(remaining)} more`}
        {stop.message !== null && <span className="field-error">{stop.message}</span>}
      </Line>
    </li>
  )
}

function NotHeld() {
  const notHeld = useHold((state) => state.notHeld)
  const dismissed = useHold((state) => state.dismissed)
  if (notHeld <= dismissed) return null
  return (
    <Line
      icon={Icons.CircleAlert}
      actions={
        <IconButton label="Dismiss" onClick={() => useHold.setState({ dismissed: notHeld })}>
          <Icons.X />
        </IconButton>
      }
    >
      <span role="status">
        {plural(notHeld, 'matching delivery was', 'matching deliveries were')} not held: at most{' '}
        {maxHeld.deliveries} deliveries, {formatSize(maxHeld.bytes)} in all, are held at a time.
      </span>
    </Line>
  )
}

/** How many are held, and the actions on all of them. */
function All({ held }: { readonly held: readonly HeldDelivery[] }) {
  const client = useClient()
  const all = allHeld(held)
  const waiting = allHeld(held, 'response')
  return (
    <Row wrap align="center" gap={2} gapX={3} pad={[2, 4]}>
      <b role="status">{formatCount(held.length)} held</b>
      <Text grow />
      {all.length > 0 && (
        <Button small kind="primary" aria-keyshortcuts="Shift+U" onClick={() => releaseAll(client)}>
          Release all <kbd aria-hidden>{keyWord('U')}</kbd>
        </Button>
      )}
      {all.length > 1 && all.length > waiting.length && (
        <Button small onClick={() => dropAll(client)}>
          Drop all
        </Button>
      )}
      {waiting.length > 1 && (
        <Button small onClick={() => askToRespond(waiting)}>
          Respond to all…
        </Button>
      )}
    </Row>
  )
}

interface HeldProps {
  readonly held: HeldDelivery
  /** Receives the focus when this one is no longer held. */
  readonly strip: RefObject<HTMLElement | null>
}

function Held({ held, strip }: HeldProps) {
  const client = useClient()
  const row = useFocusOnUnmount<HTMLLIElement>(strip)
  const { deliveryId, type, title, at, targets } = held
  const isOpen = useDeliveries(({ open, selectedId }) => open && selectedId === deliveryId)
  const isEdited = useCompose((state) => heldSession(state, deliveryId) !== undefined)
  const edit = useAction(() => startEdit(client, held))
  const name = escapeControls(truncate(title, 120))
  return (
    <li ref={row} data-testid="held" data-current={isOpen || undefined}>
      <Row wrap align="center" gap={1} gapX={4} pad={[1, 4]}>
        <button type="button" className="hold-what" onClick={() => openDelivery(deliveryId)}>
          <Row as="span" align="center" gap={3} shrink>
            <EventIcon name={(type === null ? undefined : eventTypeOf(type)?.view.icon) ?? ''} />
            <b className="cut" title={name}>
              {name}
            </b>
          </Row>
          <Facts held={held} />
        </button>
        <Row fixed gap={2} push align="center">
          <Button small aria-label={`Release #${deliveryId}`} onClick={() => release(client, held)}>
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
            <Button small aria-label={`Drop #${deliveryId}`} onClick={() => drop(client, held)}>
              Drop
            </Button>
          ) : (
            <Button
              small
              aria-label={`Respond to #${deliveryId}`}
              onClick={() => askToRespond([held])}
            >
              Respond…
            </Button>
          )}
        </Row>
      </Row>
    </li>
  )
}

/** Since when and until when it is held, where it goes, and why. */
function Facts({ held }: { readonly held: HeldDelivery }) {
  const { deliveryId, heldAt, releaseAt, targets, reason, uncertain } = held
  const now = useNow()
  const [target] = targets
  return (
    <>
      <Row as="span" dotted tone="mid" size="s">
        <span>#{deliveryId}</span>
        {releaseAt === null ? (
          <Text nowrap>
            held <Time at={heldAt}>{ago(heldAt, now)}</Time>
          </Text>
        ) : (
          <Countdown words="released in" at={releaseAt} />
        )}
        <Text cut title={escapeControls(truncate(targets.join('\n'), 800))}>
          {target === undefined ? (
            'no forward target'
          ) : (
            <>
              to{' '}
              <Text mono size="xs">
                <Shown text={truncate(target, 120)} />
              </Text>
              {targets.length > 1 && ` and ${targets.length - 1} more`}
            </>
          )}
        </Text>
      </Row>
      {(uncertain || reason !== null) && (
        <Text as="span" tone="mid" size="s" anywhere>
          {uncertain && <Text tone="warning">May have been forwarded. </Text>}
          <Shown text={truncate(reason ?? '', 200)} />
        </Text>
      )}
    </>
  )
}

/** Edits of deliveries that are no longer held. */
function Unsent({ held }: { readonly held: readonly HeldDelivery[] }) {
  const edits = useCompose((state) => state.held)
  const unsent = edits.flatMap(({ key, held: of }) =>
    of === null || held.some(({ deliveryId }) => deliveryId === of.deliveryId) ? [] : [{ key, of }],
  )
  return unsent.map(({ key, of: { deliveryId } }) => (
    <Line
      key={key}
      icon={Icons.PenLine}
      actions={
        <Row fixed gap={2}>
          <Button small onClick={() => openDelivery(deliveryId)}>
            Show
          </Button>
          <Button small onClick={() => dropHeld(key)}>
            Discard
          </Button>
        </Row>
      }
    >
      Your edit of #{deliveryId} was not sent: it is no longer held.
    </Line>
  ))
}
