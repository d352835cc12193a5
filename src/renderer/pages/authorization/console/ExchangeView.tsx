import { redirectLocation } from '#shared/text/address.ts'
import { formatSize, formatDuration } from '#shared/text/format.ts'
import { Tabs } from 'radix-ui'
import { useCallback, useState } from 'react'
import { type Advice, responseLimit, type ApiExchange, type ApiHop } from '#contract/api.ts'
import { focusTab } from '#kit/focus.ts'
import { Masked, SecretsOf } from '#kit/Masked.tsx'
import { ErrorNote, Note } from '#kit/Note.tsx'
import { runCommand } from '#client/command-registry.ts'
import { toast } from '#kit/toasts.ts'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { BodyView } from '#parts/body/BodyView.tsx'
import { type ReadSlice, useBody } from '#parts/body/use-body.ts'
import '#kit/Tabs.css'
import { Icons } from '#kit/icons.tsx'
import { Button } from '#kit/Button.tsx'
import { tokenAddress } from '#client/addresses/authorization.ts'
import { useSendable } from './RequestPane.tsx'
import { truncate, escapeControls, shortText } from '#kit/text/visible.ts'
import { StatusIcon } from '#kit/Mark.tsx'
import { PhaseBar } from '#parts/exchange/PhaseBar.tsx'
import { statusTone, statusWord } from '#kit/text/status.ts'
import { ReceivedMessage, SentMessage } from '#parts/exchange/HttpMessage.tsx'
import { HeaderTable } from '#parts/exchange/HeaderTable.tsx'
import { ClockTime } from '#kit/Time.tsx'

const maxValueLength = 4000

function maskedValue(value: string) {
  return <Masked text={truncate(value, maxValueLength)} />
}

const viewLabels = { tree: 'Pretty', text: 'Raw', hex: 'Bytes' } as const

/** One exchange: the response or the error, advice, and the requests: a retry may follow the first. */
export function ExchangeView({ exchange }: { exchange: ApiExchange }) {
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
      <div className="grid gap-4 px-6 empty:hidden">
        <ErrorNote error={error} />
        {advice !== null && <AdviceNote advice={advice} exchange={exchange} />}
        {location !== null && (
          <Note tone="info">
            A redirect to <span className="mono wrap-anywhere">{maskedValue(location)}</span>. It
            was not followed: enter its address to send a request there.
          </Note>
        )}
        {response?.truncated === true && (
          <Note tone="warning">
            Truncated: the first {formatSize(exchange.storedBytes)} of {formatSize(response.bytes)}{' '}
            are stored. The limit is {formatSize(responseLimit)}.
          </Note>
        )}
        {exchange.bodyNote !== undefined && <Note tone="info">{exchange.bodyNote}</Note>}
      </div>
      <Tabs.Root
        className="flex min-h-0 flex-1 flex-col"
        defaultValue={response === null ? 'hops' : 'body'}
      >
        <Tabs.List className="tabs" onFocus={focusTab} aria-label="Parts of the response">
          {response !== null && (
            <>
              <Tabs.Trigger value="body">Body</Tabs.Trigger>
              <Tabs.Trigger value="headers">
                Headers{' '}
                <span className="text-xs font-medium text-dim">{response.headers.length}</span>
              </Tabs.Trigger>
            </>
          )}
          <Tabs.Trigger value="hops">
            Requests{' '}
            {hops.length > 1 && <span className="text-xs font-medium text-dim">{hops.length}</span>}
          </Tabs.Trigger>
        </Tabs.List>
        {response !== null && (
          <>
            <Tabs.Content
              value="body"
              forceMount
              className="tab-page grid-rows-1 content-stretch overflow-hidden pb-4"
              data-scrolls
            >
              <ResponseBody id={id} method={last?.request.method ?? exchange.method} />
            </Tabs.Content>
            <Tabs.Content value="headers" className="tab-page" data-scrolls>
              <HeaderTable
                label="Response headers"
                headers={response.headers}
                drawValue={maskedValue}
              />
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

function ResponseBody({ id, method }: { id: number; method: string }) {
  const client = useClient()
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

/** Advice from the API documentation for a 401 or 403, with its section and actions. */
function AdviceNote({ advice, exchange }: { advice: Advice; exchange: ApiExchange }) {
  const { tokenId, status } = exchange
  const { code, message, section } = advice
  const client = useClient()
  const [isRefreshed, setRefreshed] = useState(false)
  const refresh = useAction(async () => {
    if (tokenId === null) return
    const { failure } = await client.call('tokens.refresh', { id: tokenId })
    if (failure) throw new Error(`${failure.message} ${failure.remedy}`)
    setRefreshed(true)
    toast('valid', 'Token refreshed. Send the request again.')
  })
  const recovered = code === 'expired_refreshed' && status !== 401
  const withoutToken = code === 'unauthorized_without_token'
  const others = useSendable(exchange.request.integrationId).filter(({ id }) => id !== tokenId)
  const selects = (code === 'invalid' || withoutToken) && others.length > 0
  return (
    <>
      <Note
        tone={recovered ? 'info' : 'warning'}
        action={
          <div className="flex flex-wrap gap-3">
            {recovered && (
              <a className="button" href={tokenAddress(tokenId)}>
                <Icons.KeyRound />
                Show token
              </a>
            )}
            {code === 'expired' && !isRefreshed && (
              <Button
                kind="primary"
                icon={Icons.RefreshCw}
                busy={refresh.busy}
                onClick={() => refresh.start()}
              >
                Refresh the token
              </Button>
            )}
            {(code === 'revoked' || isRefreshed) && (
              <Button kind="primary" icon={Icons.Send} onClick={() => runCommand('send')}>
                Send again
              </Button>
            )}
            {selects && (
              <Button
                kind="primary"
                icon={Icons.KeyRound}
                onClick={() => document.querySelector<HTMLElement>('[data-token]')?.focus()}
              >
                {withoutToken ? 'Select a token' : 'Select another token'}
              </Button>
            )}
            {!recovered && !(withoutToken && selects) && code !== 'expired' && (
              <a
                className="button"
                data-kind={code === 'revoked' || selects ? undefined : 'primary'}
                href="#/authorization/runs"
              >
                <Icons.KeyRound />
                {withoutToken ? 'Authorize a user' : 'Authorize again'}
              </a>
            )}
          </div>
        }
      >
        {message}
        <span className="mt-1 flex items-center gap-2 text-mid">
          <Icons.BookOpenText /> API documentation, “{section}”
        </span>
      </Note>
      <ErrorNote error={refresh.error} />
    </>
  )
}

function ResponseSummary({ exchange }: { exchange: ApiExchange }) {
  const last = exchange.hops.at(-1)
  const response = last?.response ?? null
  const tone = response === null ? 'invalid' : statusTone(response.status)
  const statusText = response?.statusText.trim() ?? ''
  const isComplete = response !== null && exchange.error === null
  return (
    <header className="flex flex-wrap items-center gap-3 gap-x-5 px-6 py-4">
      <h2
        className="inline-flex items-center gap-3 rounded-md bg-tone-soft px-4 py-1 font-bold wrap-anywhere text-tone"
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
      </h2>
      <ul className="dotted flex flex-wrap text-s text-mid">
        <li>
          <b className="font-semibold text-ink">{formatDuration(exchange.durationMs)}</b>
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
      </ul>
      {last?.timings && (
        <PhaseBar timings={last.timings} failedUrl={isComplete ? null : last.request.url} />
      )}
    </header>
  )
}

function HopList({ hops }: { hops: readonly ApiHop[] }) {
  if (hops.length === 0) return <p className="text-dim">No request was sent.</p>
  return (
    <ol className="grid gap-5" aria-label="Requests in order">
      {hops.map(({ request, response, timings, proxy, reason, withToken }, index) => (
        // Requests can repeat, so the index is the key.
        // oxlint-disable-next-line react/no-array-index-key
        <li className="framed grid gap-4 p-5" key={index}>
          <p className="flex flex-wrap items-center gap-3 font-semibold [&>svg]:text-dim">
            {reason === 'sent' ? <Icons.Send /> : <Icons.RotateCw />}
            {reason === 'sent' ? 'Request' : 'Retried after a refresh'}
            <span className="tag" data-tone={withToken ? 'info' : 'unsigned'}>
              <Icons.KeyRound />
              {withToken ? 'with the token' : 'without the token'}
            </span>
          </p>
          {proxy !== undefined && <p className="text-s text-dim">Through the proxy {proxy}</p>}
          <SentMessage request={request} open={hops.length === 1} />
          {/* The last response is in the other tabs. */}
          {response !== null && index < hops.length - 1 && (
            <ReceivedMessage response={response} timings={timings} />
          )}
        </li>
      ))}
    </ol>
  )
}
