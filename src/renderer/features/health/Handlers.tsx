import { useState } from 'react'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { HandlerCoverage } from '#contract/health.ts'
import type { RehearsalResult } from '#contract/rehearsal.ts'
import type { SignChoice } from '#contract/sending.ts'
import { plural } from '#shared/text/format.ts'
import type { Client } from '../../platform/client.ts'
import { toast } from '../../platform/toasts.ts'
import { useAction, useClient, useQuery, useRefresh } from '../../platform/use-client.ts'
import { addressOf } from '../../routes/compose.ts'
import { rehearsalAddress, rehearseAddress } from '../../routes/rehearse.ts'
import { useEndpointRules } from '../../state/endpoint-rules.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { ErrorNote, WhenLoaded } from '../../ui/Failure.tsx'
import { Check, CircleDashed, Minus, Send, Webhook, X } from '../../ui/icons.tsx'
import { Row, Stack, Text } from '../../ui/Layout.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import { dayTime } from '../../ui/text/time.ts'
import { escapeControls, truncate } from '../../ui/text/visible.ts'
import { Time } from '../../ui/Time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { showAttempt } from '../attempts/index.ts'
import { withConfirmation } from '../targets/index.ts'
import { endpointName } from './AlertStrip.tsx'

type TypeCoverage = HandlerCoverage['types'][number]

/** What each handler got of each type. */
export function Handlers() {
  const query = useQuery('health.coverage', {})
  useRefresh(
    null,
    ['deliveries.changed', 'rehearsals.changed', 'forwards.changed'],
    5000,
    query.reload,
  )
  return (
    <WhenLoaded
      query={query}
      loading={<div className="plain-card health-coming" role="status" aria-label="Loading" />}
    >
      {(handlers) =>
        handlers.length === 0 ? (
          <Empty
            icon={<Webhook aria-hidden />}
            title="Nothing was sent to a handler yet"
            actions={
              <a className="button" data-kind="plain" href="#/endpoints">
                Add a forward target
              </a>
            }
          >
            Forward deliveries to your handler or re-send one to it. Then you see here which types
            it got, and how it responded.
          </Empty>
        ) : (
          handlers.map((handler) => (
            <HandlerCard key={handler.url} handler={handler} onSent={query.reload} />
          ))
        )
      }
    </WhenLoaded>
  )
}

interface CardProps {
  readonly handler: HandlerCoverage
  readonly onSent: () => void
}

function HandlerCard({ handler, onSent }: CardProps) {
  const { url, endpointId, rehearsal, types } = handler
  const [asking, setAsking] = useState(false)
  const endpoints = useEndpoints((state) => state.endpoints)
  const isForwarded = useForwardedTypes(url)
  const now = useNow()
  const missing = types.filter((type) => isMissing(type) && isForwarded(type.type))
  const sendable = missing.filter(canSend)
  return (
    <Stack as="section" gap={4} className="health-handler framed" aria-label={`Handler ${url}`}>
      <Row wrap align="center" gap={3} gapX={5}>
        <Stack grow shrink>
          <h2 className="size-m mono anywhere">
            <Shown text={truncate(url, 200)} />
          </h2>
          <Text as="p" size="s" tone="mid">
            {endpointId !== null && `${endpointName(endpoints, endpointId)} · `}
            {missing.length === 0
              ? 'All types were sent'
              : `${missing.length} of ${types.length} types were not sent`}
            {' · '}
            {rehearsal === null ? (
              <a href={rehearseAddress(url, endpointId)}>Rehearse</a>
            ) : (
              <>
                <a href={rehearsalAddress(rehearsal.id)}>Rehearsal {rehearsal.id}</a>,{' '}
                <Time at={rehearsal.at}>{dayTime(rehearsal.at, now)}</Time>
              </>
            )}
          </Text>
        </Stack>
        {sendable.length > 0 && (
          <Button icon={<Send aria-hidden />} onClick={() => setAsking(true)}>
            Send the missing types…
          </Button>
        )}
      </Row>
      <table className="table" aria-label={`Types sent to ${url}`}>
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">Last response</th>
            <th scope="col" className="number">
              Sent in 30 days
            </th>
            <th scope="col">When</th>
            {rehearsal !== null && <th scope="col">Rehearsal</th>}
          </tr>
        </thead>
        <tbody>
          {types.map((type) => (
            <tr key={type.type}>
              <th scope="row" className="mono">
                <Shown text={truncate(type.type, 60)} />
              </th>
              <td>
                <Response type={type} isForwarded={isForwarded(type.type)} />
              </td>
              <td className="number">{type.sent === 0 ? '' : type.sent}</td>
              <td>{type.last && <LastAttempt last={type.last} now={now} />}</td>
              {rehearsal !== null && (
                <td>{type.rehearsed && <Rehearsed result={type.rehearsed} />}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {asking && (
        <SendMissing
          handler={handler}
          types={sendable}
          others={missing.length - sendable.length}
          onClose={() => setAsking(false)}
          onSent={onSent}
        />
      )}
    </Stack>
  )
}

/** Whether a type goes to a URL: a forward target may be limited to some types. */
function useForwardedTypes(url: string): (type: string) => boolean {
  const forwards = useEndpointRules((state) => state.forwards)
  const limits = forwards.filter((target) => target.url === url).map(({ types }) => types)
  return (type) =>
    limits.length === 0 || limits.some((types) => types.length === 0 || types.includes(type))
}

function isMissing({ last }: TypeCoverage): boolean {
  return last === null
}

/** There is no sample of a type that is not documented. */
function canSend({ type, capturedId }: TypeCoverage): boolean {
  return capturedId !== null || eventTypeOf(type) !== undefined
}

function Response({
  type,
  isForwarded,
}: {
  readonly type: TypeCoverage
  readonly isForwarded: boolean
}) {
  const { last } = type
  if (last === null) {
    return isForwarded ? (
      <StateMark tone="warning" icon={CircleDashed} word="Never sent" />
    ) : (
      <StateMark tone="unsigned" icon={Minus} word="Not forwarded" />
    )
  }
  if (last.status === null) {
    return (
      <span title={last.error ?? undefined}>
        <StateMark tone="invalid" icon={X} word="No response" />
      </span>
    )
  }
  const isOk = last.status >= 200 && last.status < 300
  return (
    <StateMark
      tone={isOk ? 'valid' : 'invalid'}
      icon={isOk ? Check : X}
      word={`${last.status} ${isOk ? 'ok' : 'rejected'}`}
    />
  )
}

interface LastProps {
  readonly last: NonNullable<TypeCoverage['last']>
  readonly now: number
}

function LastAttempt({ last: { deliveryId, draftId, attemptId, at }, now }: LastProps) {
  const when = <Time at={at}>{dayTime(at, now)}</Time>
  if (deliveryId !== null) {
    return (
      <button
        type="button"
        className="health-group"
        title={`Show the attempt of delivery ${deliveryId}`}
        onClick={() => showAttempt(deliveryId, attemptId)}
      >
        {when}
      </button>
    )
  }
  return draftId === null ? (
    when
  ) : (
    <a href={addressOf({ kind: 'draft', id: draftId })} title="Show the draft of the sample">
      {when}
    </a>
  )
}

const rehearsalWords = {
  pass: 'passed',
  fail: 'failed',
  warn: 'warning',
  review: 'review',
  skipped: 'skipped',
  flaky: 'flaky',
} as const satisfies Record<RehearsalResult, string>

function Rehearsed({ result }: { readonly result: RehearsalResult }) {
  const isOk = result === 'pass'
  return (
    <StateMark
      tone={isOk ? 'valid' : result === 'fail' ? 'invalid' : 'warning'}
      icon={isOk ? Check : result === 'fail' ? X : Minus}
      word={rehearsalWords[result]}
    />
  )
}

interface SendProps {
  readonly handler: HandlerCoverage
  readonly types: readonly TypeCoverage[]
  /** How many cannot be sent. */
  readonly others: number
  readonly onClose: () => void
  readonly onSent: () => void
}

/** Shows what will be sent, then sends it. */
function SendMissing({ handler, types, others, onClose, onSent }: SendProps) {
  const client = useClient()
  const endpoint = useEndpoints(({ endpoints }) =>
    endpoints.find(({ id }) => id === handler.endpointId),
  )
  const hasSecret = endpoint?.secret.set === true
  const captured = types.filter(({ capturedId }) => capturedId !== null)
  const samples = types.length - captured.length
  const parts = [
    captured.length > 0 && plural(captured.length, 'captured delivery', 'captured deliveries'),
    samples > 0 && plural(samples, 'sample', 'samples'),
  ].filter((part) => part !== false)
  const send = useAction(async () => {
    const { sent, failed } = await sendTypes(client, handler, types, hasSecret)
    onSent()
    if (sent === 0) return
    onClose()
    const result = failed === 0 ? 'all were accepted' : `${failed} failed`
    toast(failed === 0 ? 'valid' : 'invalid', `${plural(sent, 'type', 'types')} sent: ${result}.`)
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Send ${plural(types.length, 'type', 'types')} to this handler?`}
      description={`${parts.join(' and ')}, ${hasSecret ? `signed with the current secret of ${escapeControls(truncate(endpoint.name, 60))}` : 'without a signature, because no secret is set'}, to ${escapeControls(truncate(handler.url, 200))}.`}
    >
      <ul className="health-missing margin-top-4">
        {types.map(({ type, capturedId }) => (
          <li key={type}>
            <span className="mono">
              <Shown text={truncate(type, 60)} />
            </span>
            <Text tone="mid" size="s">
              {capturedId === null ? 'sample' : `delivery #${capturedId}`}
            </Text>
          </li>
        ))}
      </ul>
      {others > 0 && (
        <Text as="p" marginTop={4} tone="dim">
          {plural(others, 'other type is', 'other types are')} not documented, and no valid delivery
          of {others === 1 ? 'it' : 'them'} is stored.
        </Text>
      )}
      <ErrorNote error={send.error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          icon={<Send aria-hidden />}
          busy={send.busy}
          onClick={() => send.start()}
        >
          Send {types.length}
        </Button>
      </div>
    </Dialog>
  )
}

/** One after the other: captured deliveries with their bytes, samples from one draft that keeps their attempts. Ends if the user does not allow the target. */
async function sendTypes(
  client: Client,
  { url, endpointId }: HandlerCoverage,
  types: readonly TypeCoverage[],
  hasSecret: boolean,
): Promise<{ sent: number; failed: number }> {
  const sign: SignChoice = hasSecret
    ? { how: 'secret', endpointId, which: 'current' }
    : { how: 'auto' }
  let draftId: number | null = null
  let sent = 0
  let failed = 0
  async function sendSample(type: string) {
    const from = { kind: 'sample', type } as const
    const content = { ...(await client.call('compose.start', { from, endpointId })), url }
    draftId ??= (await client.call('compose.save', { content })).id
    return client.call('compose.send', { id: draftId, content })
  }
  for (const { type, capturedId } of types) {
    const attempt = await withConfirmation(client, () =>
      capturedId === null
        ? sendSample(type)
        : client.call('deliveries.resend', { id: capturedId, url, sign }),
    )
    if (attempt === null) break
    sent += 1
    if (attempt.status === null || attempt.status < 200 || attempt.status > 299) failed += 1
  }
  return { sent, failed }
}
