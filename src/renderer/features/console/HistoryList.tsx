import { plural, formatDuration } from '#shared/text/format.ts'
import { History, Trash2, Unplug } from '../../ui/icons.tsx'
import { useState, useCallback, useEffect, useRef } from 'react'
import type { ApiSummary } from '#contract/api.ts'
import { Text, Row } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { ago } from '../../ui/text/time.ts'
import { truncate, escapeControls } from '../../ui/text/visible.ts'
import { useNow } from '../../ui/use-now.ts'
import { messageOf } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { toast } from '../../platform/toasts.ts'
import { shortAddress } from '../../routes/console.ts'
import { showExchange } from './send.ts'
import { statusTone, statusWord } from '../../ui/text/status.ts'
import { Time } from '../../ui/Time.tsx'
import { EmptyFailure } from '../../ui/Failure.tsx'
import { useConsole } from './store.ts'

const pageSize = 50

interface Held {
  /** Newest first; null until the first page is loaded. */
  readonly rows: readonly ApiSummary[] | null
  readonly more: boolean
  readonly error: string | null
}

/** Loads the requests of an integration in pages, and reloads them when the engine reports a change. */
function useHistory(integrationId: number) {
  const client = useClient()
  const historyRevision = useConsole((state) => state.historyRevision)
  const [loaded, setLoaded] = useState<Held>({ rows: null, more: false, error: null })
  const [busy, setBusy] = useState(false)
  const latest = useRef(0)

  const load = useCallback(
    (before: number | undefined) => {
      const requestNumber = (latest.current += 1)
      client
        .call('api.history', {
          integrationId,
          limit: pageSize,
          ...(before === undefined ? {} : { before }),
        })
        .then(
          (page) => {
            if (requestNumber !== latest.current) return
            setBusy(false)
            setLoaded(({ rows, more }) => ({
              ...mergePage({ rows: rows ?? [], more }, page, pageSize, before),
              error: null,
            }))
          },
          (reason: unknown) => {
            if (requestNumber !== latest.current) return
            setBusy(false)
            setLoaded((known) => ({ ...known, error: messageOf(reason) }))
          },
        )
    },
    [client, integrationId],
  )
  useEffect(() => {
    // `turn` increases with each change.
    if (historyRevision >= 0) load(undefined)
    return client.onConnection((state) => {
      if (state.phase === 'connected') load(undefined)
    })
  }, [client, load, historyRevision])

  return {
    ...loaded,
    busy,
    reload: () => load(undefined),
    loadMore: () => {
      setBusy(true)
      load(loaded.rows?.at(-1)?.id)
    },
  }
}

interface Pages<T> {
  /** Newest first. */
  readonly rows: readonly T[]
  readonly more: boolean
}

/**
 * Merges a loaded `page` into a paged list: the page below `before`, or the first page. Rows below a new first page stay if the page overlaps
 * with them; otherwise they are loaded again.
 */
export function mergePage<T extends { readonly id: number }>(
  known: Pages<T>,
  page: readonly T[],
  pageSize: number,
  before: number | undefined,
): Pages<T> {
  const full = page.length === pageSize
  if (before !== undefined) {
    return { rows: [...known.rows.filter(({ id }) => id >= before), ...page], more: full }
  }
  const last = page.at(-1)
  const joins = full && last !== undefined && known.rows.some(({ id }) => id === last.id)
  if (!joins) return { rows: page, more: full }
  return { rows: [...page, ...known.rows.filter(({ id }) => id < last.id)], more: known.more }
}

/** The sent requests, newest first. Selecting one restores the request and its response. */
export function HistoryList({ integrationId }: { readonly integrationId: number }) {
  const client = useClient()
  const { rows, more, busy, error, loadMore, reload } = useHistory(integrationId)
  const [clearing, setClearing] = useState(false)
  const clear = useAction(async () => {
    const { deleted } = await client.call('api.clearHistory', {})
    setClearing(false)
    toast('valid', `${plural(deleted, 'request', 'requests')} deleted from the history.`)
  })

  if (error !== null && rows === null) {
    return (
      <EmptyFailure title="Could not load the history" onRetry={reload}>
        {error}
      </EmptyFailure>
    )
  }
  if (rows === null) return <div role="status" aria-label="Loading" />
  if (rows.length === 0) {
    return (
      <Empty icon={<History aria-hidden />} title="Nothing sent yet">
        Requests and their responses are stored here.
      </Empty>
    )
  }
  return (
    <>
      <div className="grow shrink scroll" data-scrolls>
        <ul className="lined" aria-label="History">
          {rows.map((row, index) => (
            <HistoryRow key={row.id} row={row} first={index === 0} />
          ))}
        </ul>
        {more && (
          <Button kind="quiet" className="wide" busy={busy} onClick={loadMore}>
            Load earlier
          </Button>
        )}
      </div>
      <div className="pad-y-3 pad-x-4 line-top fixed">
        <Button kind="quiet" icon={<Trash2 aria-hidden />} onClick={() => setClearing(true)}>
          Clear history
        </Button>
      </div>
      <Confirm
        open={clearing}
        onClose={() => setClearing(false)}
        title="Clear the history?"
        description="Deletes all requests and responses of all integrations. Saved requests stay."
        action="Clear history"
        run={clear}
      />
    </>
  )
}

function HistoryRow({ row, first }: { readonly row: ApiSummary; readonly first: boolean }) {
  const client = useClient()
  const now = useNow()
  const here = useConsole((state) => {
    const outcome = state.outcomes[row.integrationId]
    if (outcome?.phase === 'done') return outcome.exchange.id === row.id
    return outcome?.phase === 'loading' && outcome.id === row.id
  })
  const { status } = row
  return (
    <li>
      <button
        type="button"
        className="list-row side-row"
        aria-current={here || undefined}
        data-first={first || undefined}
        onClick={() => void showExchange(client, row.id, row.integrationId)}
      >
        <Row as="span" align="baseline" gap={3} shrink mono>
          <Text as="b" fixed weight="bold">
            {row.method}
          </Text>{' '}
          <span className="cut" title={escapeControls(truncate(row.url, 400))}>
            <Shown text={truncate(shortAddress(row.url), 200)} />
          </span>
        </Row>
        <Row as="span" align="baseline" gap={3} shrink tone="dim" size="xs">
          <Row
            as="span"
            inline
            align="center"
            gap={2}
            className="cut weight-semibold tone-state side-status"
            data-tone={status === null ? 'invalid' : statusTone(status)}
          >
            {status === null ? (
              <>
                <Unplug aria-hidden /> no response
              </>
            ) : (
              `${status} ${statusWord(status)}`
            )}
          </Row>
          <Text fixed>{formatDuration(row.durationMs)}</Text>
          <Time at={row.sentAt} fixed push>
            {ago(row.sentAt, now)}
          </Time>
        </Row>
      </button>
    </li>
  )
}
