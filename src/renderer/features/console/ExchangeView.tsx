import { redirectLocation } from '#shared/text/address.ts'
import { formatSize, formatDuration } from '#shared/text/format.ts'
import { Tabs } from 'radix-ui'
import { type ReactNode, useCallback, useState } from 'react'
import { type Advice, responseLimit, type ApiExchange, type ApiHop } from '#contract/api.ts'
import { Text, Row, Stack } from '../../ui/Layout.tsx'
import { focusTab } from '../../ui/focus.ts'
import { Fold } from '../../ui/Fold.tsx'
import { Masked, SecretsOf } from '../../ui/Masked.tsx'
import { ErrorNote, Note } from '../../ui/Note.tsx'
import { runCommand } from '../../platform/command-registry.ts'
import { toast } from '../../platform/toasts.ts'
import { type Action, useAction, useClient } from '../../platform/use-client.ts'
import { BodyView, type ReadSlice, useBody } from '../body/index.ts'
import '../../ui/Tabs.css'
import { Icons, type Icon } from '../../ui/icons.tsx'
import { Button } from '../../ui/Button.tsx'
import { tokenAddress } from '../../routes/authorization.ts'
import { truncate, escapeControls, shortText } from '../../ui/text/visible.ts'
import { StatusIcon } from '../../ui/Mark.tsx'
import { PhaseBar } from '../../ui/PhaseBar.tsx'
import { statusTone, statusWord } from '../../ui/text/status.ts'
import { SentMessage } from '../../ui/HttpMessage.tsx'
import type { Header } from '#contract/models.ts'
import { HeaderTable } from '../../ui/HeaderTable.tsx'
import { ClockTime } from '../../ui/Time.tsx'

const maxValueLength = 4000

interface ResponseHeadersProps {
  readonly label: string
  readonly headers: readonly Header[]
}

/** Headers as sent over the wire, with their order, case and duplicates. Secrets are masked. */
function ResponseHeaders({ label, headers }: ResponseHeadersProps) {
  return <HeaderTable label={label} headers={headers} drawValue={renderValue} />
}

function renderValue(value: string): ReactNode {
  return <Masked text={truncate(value, maxValueLength)} />
}

const viewLabels = { tree: 'Pretty', text: 'Raw', hex: 'Bytes' } as const

/** One exchange: the response or the error, advice, and the requests: a retry may follow the first. */
export function ExchangeView({ exchange }: { readonly exchange: ApiExchange }) {
  const client = useClient()
  const { id, hops, error, advice, maskedValues } = exchange
  const reveal = useCallback(
    async (name: string) => (await client.call('api.reveal', { id, name })).value,
    [client, id],
  )
  const last = hops.at(-1)
  const response = last?.response ?? null
  const location = response && redirectLocation(response)
  return (
    <SecretsOf maskedValues={maskedValues} reveal={reveal}>
      <ResponseSummary exchange={exchange} />
      <Stack gap={4} pad={[0, 6]} className="answer-notes">
        <ErrorNote error={error} />
        {advice !== null && <AdviceNote advice={advice} exchange={exchange} />}
        {location !== null && (
          <Note tone="info">
            A redirect to{' '}
            <span className="mono anywhere">
              <Masked text={truncate(location, maxValueLength)} />
            </span>
            . It was not followed: enter its address to send a request there.
          </Note>
        )}
        {response?.truncated === true && (
          <Note tone="warning">
            Truncated: the first {formatSize(exchange.storedBytes)} of {formatSize(response.bytes)}{' '}
            are stored. The limit is {formatSize(responseLimit)}.
          </Note>
        )}
        {exchange.bodyNote !== undefined && <Note tone="info">{exchange.bodyNote}</Note>}
      </Stack>
      <Tabs.Root
        className="stack-flex detail-tabs"
        defaultValue={response === null ? 'hops' : 'body'}
      >
        <Tabs.List className="tabs" onFocus={focusTab} aria-label="Parts of the response">
          {response !== null && (
            <>
              <Tabs.Trigger value="body">Body</Tabs.Trigger>
              <Tabs.Trigger value="headers">
                Headers{' '}
                <Text tone="dim" size="xs" weight="medium">
                  {response.headers.length}
                </Text>
              </Tabs.Trigger>
            </>
          )}
          <Tabs.Trigger value="hops">
            Requests{' '}
            {hops.length > 1 && (
              <Text tone="dim" size="xs" weight="medium">
                {hops.length}
              </Text>
            )}
          </Tabs.Trigger>
        </Tabs.List>
        {response !== null && (
          <>
            <Tabs.Content value="body" forceMount className="tab-page tab-fixed" data-scrolls>
              <ResponseBody exchange={exchange} method={last?.request.method ?? exchange.method} />
            </Tabs.Content>
            <Tabs.Content value="headers" className="tab-page" data-scrolls>
              <ResponseHeaders label="Response headers" headers={response.headers} />
            </Tabs.Content>
          </>
        )}
        <Tabs.Content value="hops" className="tab-page" data-scrolls>
          <HopList hops={hops} />
        </Tabs.Content>
      </Tabs.Root>
    </SecretsOf>
  )
}

interface BodyProps {
  readonly exchange: ApiExchange
  readonly method: string
}

function ResponseBody({ exchange, method }: BodyProps) {
  const client = useClient()
  const { id } = exchange
  const read: ReadSlice = useCallback(
    (slice) => client.call('api.body', { id, ...slice }),
    [client, id],
  )
  const source = useBody(read, { encoded: false })
  return (
    <BodyView
      source={source}
      encoded={false}
      words={viewLabels}
      none={
        method === 'HEAD'
          ? 'The response to a HEAD request has no body.'
          : 'The response has no body.'
      }
    />
  )
}

interface AdviceNoteProps {
  readonly advice: Advice
  readonly exchange: ApiExchange
}

/** Advice from the API documentation for a 401 or 403, with its section and an action. */
function AdviceNote({ advice, exchange }: AdviceNoteProps) {
  const { tokenId, status } = exchange
  const client = useClient()
  const [isRefreshed, setRefreshed] = useState(false)
  const refresh = useAction(async () => {
    if (tokenId === null) return
    const { failure } = await client.call('tokens.refresh', { id: tokenId })
    if (failure) throw new Error(`${failure.message} ${failure.remedy}`)
    setRefreshed(true)
    toast('valid', 'Token refreshed. Send the request again.')
  })
  const recovered = advice.code === 'expired_refreshed' && status !== 401
  return (
    <>
      <Note
        tone={recovered ? 'info' : 'warning'}
        action={
          <Row wrap gap={3}>
            {recovered ? (
              <a className="button" href={tokenAddress(tokenId)}>
                <Icons.KeyRound />
                Show token
              </a>
            ) : (
              <AdviceActions code={advice.code} refresh={isRefreshed ? null : refresh} />
            )}
          </Row>
        }
      >
        {advice.message}
        <Row as="span" align="center" gap={2} marginTop={1} tone="mid">
          <Icons.BookOpenText /> API documentation, “{advice.section}”
        </Row>
      </Note>
      <ErrorNote error={refresh.error} />
    </>
  )
}

interface AdviceActionsProps {
  readonly code: Advice['code']
  /** Null: it is done. */
  readonly refresh: Action | null
}

/** What the advice says to do, the first as the primary button. */
function AdviceActions({ code, refresh }: AdviceActionsProps) {
  switch (code) {
    case 'expired':
      return refresh === null ? (
        <SendAgain />
      ) : (
        <Button
          kind="primary"
          icon={Icons.RefreshCw}
          busy={refresh.busy}
          onClick={() => refresh.start()}
        >
          Refresh the token
        </Button>
      )
    case 'expired_refresh_failed':
    case 'expired_refreshed':
      return <AuthorizeAgain kind="primary" />
    case 'revoked':
      return (
        <>
          <SendAgain />
          <AuthorizeAgain />
        </>
      )
    case 'invalid':
      return (
        <>
          <SelectToken label="Select another token" />
          <AuthorizeAgain />
        </>
      )
    case 'unauthorized_without_token':
      return <SelectToken label="Select a token" />
  }
}

function AuthorizeAgain({ kind }: { readonly kind?: 'primary' }) {
  return (
    <a className="button" data-kind={kind} href="#/authorization/runs">
      <Icons.KeyRound />
      Authorize again
    </a>
  )
}

function SendAgain() {
  return (
    <Button kind="primary" icon={Icons.Send} onClick={() => runCommand('send')}>
      Send again
    </Button>
  )
}

function SelectToken({ label }: { readonly label: string }) {
  return (
    <Button
      kind="primary"
      icon={Icons.KeyRound}
      onClick={() => document.querySelector<HTMLElement>('[data-token]')?.focus()}
    >
      {label}
    </Button>
  )
}

function ResponseSummary({ exchange }: { readonly exchange: ApiExchange }) {
  const last = exchange.hops.at(-1)
  const response = last?.response ?? null
  const tone = response === null ? 'invalid' : statusTone(response.status)
  const statusText = response?.statusText.trim() ?? ''
  const isComplete = response !== null && exchange.error === null
  return (
    <Row as="header" wrap align="center" gap={3} gapX={5} pad={[4, 6]}>
      <Row
        as="h2"
        inline
        align="center"
        gap={3}
        pad={[1, 4]}
        round="m"
        background="state"
        tone="state"
        weight="bold"
        anywhere
        data-tone={tone}
      >
        {response === null ? <Icons.Unplug /> : <StatusIcon tone={tone} />}
        {response === null ? (
          'No response'
        ) : (
          // One element: the gap of the row would be added to the space.
          <span>
            {response.status}{' '}
            <span title={statusText === '' ? 'The response has no status text' : undefined}>
              {statusText === '' ? statusWord(response.status) : shortText(statusText, 60)}
            </span>
          </span>
        )}
      </Row>
      <Row as="ul" wrap dotted tone="mid" size="s">
        <li>
          <Text as="b" tone="ink" weight="semibold">
            {formatDuration(exchange.durationMs)}
          </Text>
          {exchange.hops.length > 1 && ` in ${exchange.hops.length} requests`}
        </li>
        {response !== null && (
          <>
            <li>{formatSize(response.bytes)}</li>
            <li>HTTP/{escapeControls(response.httpVersion.replace(/^HTTP\//i, ''))}</li>
          </>
        )}
        <li>
          <ClockTime at={exchange.sentAt} isRounded />
        </li>
      </Row>
      {last?.timings && (
        <PhaseBar timings={last.timings} failedUrl={isComplete ? null : last.request.url} />
      )}
    </Row>
  )
}

function HopList({ hops }: { readonly hops: readonly ApiHop[] }) {
  if (hops.length === 0) return <p className="dim">No request was sent.</p>
  return (
    <Stack as="ol" gap={5} className="hops" aria-label="Requests in order">
      {hops.map((hop, index) => (
        // Requests can repeat, so the index is the key.
        // oxlint-disable-next-line react/no-array-index-key
        <Stack as="li" gap={4} pad={5} frame className="hop" key={index}>
          <Hop hop={hop} only={hops.length === 1} />
        </Stack>
      ))}
    </Stack>
  )
}

function Hop({ hop, only }: { readonly hop: ApiHop; readonly only: boolean }) {
  const { request, response, timings, proxy, reason, withToken } = hop
  const { icon: ReasonIcon, label } = reasons[reason]
  return (
    <>
      <Row as="p" wrap align="center" gap={3} weight="semibold" className="hop-reason">
        <ReasonIcon aria-hidden />
        {label}
        <span className="tag" data-tone={withToken ? 'info' : 'unsigned'}>
          <Icons.KeyRound />
          {withToken ? 'with the token' : 'without the token'}
        </span>
        <Row as="span" inline gap={4} push size="s" weight="normal">
          {response === null ? (
            <Text as="b" tone="state" weight="semibold" data-tone="invalid">
              no response
            </Text>
          ) : (
            <Text as="b" tone="state" weight="semibold" data-tone={statusTone(response.status)}>
              {response.status} {statusWord(response.status)}
            </Text>
          )}
          {timings !== null && <span className="dim">{formatDuration(timings.totalMs)}</span>}
        </Row>
      </Row>
      {proxy !== undefined && (
        <Text as="p" size="s" tone="dim">
          Through the proxy {proxy}
        </Text>
      )}
      <SentMessage request={request} open={only} />
      {response !== null && !only && (
        <Fold summary={`Response, ${formatSize(response.bytes)}`}>
          <ResponseHeaders label="Headers received" headers={response.headers} />
        </Fold>
      )}
    </>
  )
}

const reasons = {
  sent: { icon: Icons.Send, label: 'Request' },
  retried: { icon: Icons.RotateCw, label: 'Retried after a refresh' },
} as const satisfies Record<ApiHop['reason'], { icon: Icon; label: string }>
