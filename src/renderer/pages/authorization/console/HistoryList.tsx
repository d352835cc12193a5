import { plural, formatDuration } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import type { ApiSummary } from '#contract/api.ts'
import { Button } from '#kit/Button.tsx'
import { confirm } from '#kit/Confirm.tsx'
import { Empty, WhenLoaded } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { ago } from '#kit/text/time.ts'
import { shortText } from '#kit/text/visible.ts'
import { useNow, Time } from '#kit/Time.tsx'
import { useClient, useQuery, useRefresh } from '#client/use-client.ts'
import { toast } from '#kit/toasts.ts'
import { shortAddress } from '#client/addresses/console.ts'
import { statusTone, statusWord } from '#kit/text/status.ts'
import { refreshEvery, showExchange, useConsole } from './store.ts'

const limit = 500

/** The sent requests, newest first. Selecting one restores the request and its response. */
export function HistoryList({ integrationId }: { integrationId: number }) {
  const client = useClient()
  const query = useQuery('api.history', { integrationId, limit })
  useRefresh(null, ['api.changed'], refreshEvery, query.reload)
  const clear = (): void =>
    confirm({
      title: 'Clear the history?',
      description: 'Deletes all requests and responses of all integrations. Saved requests stay.',
      action: 'Clear history',
      async run() {
        const { deleted } = await client.call('api.clearHistory', {})
        toast('valid', `${plural(deleted, 'request', 'requests')} deleted from the history.`)
      },
    })
  return (
    <WhenLoaded query={query}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty icon={Icons.History} title="Nothing sent yet">
            Requests and their responses are stored here.
          </Empty>
        ) : (
          <>
            <div className="min-h-0 min-w-0 flex-1 overflow-auto" data-scrolls>
              <ul className="lined" aria-label="History">
                {rows.map((row, index) => (
                  <HistoryRow key={row.id} row={row} first={index === 0} />
                ))}
              </ul>
            </div>
            <div className="flex-none border-t border-line px-4 py-3">
              <Button kind="quiet" icon={Icons.Trash2} onClick={clear}>
                Clear history
              </Button>
            </div>
          </>
        )
      }
    </WhenLoaded>
  )
}

function HistoryRow({ row, first }: { row: ApiSummary; first: boolean }) {
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
        className="list-row"
        aria-current={here || undefined}
        data-first={first || undefined}
        onClick={() => void showExchange(client, row.id, row.integrationId)}
      >
        <span className="mono baseline flex min-w-0 gap-3">
          <b className="flex-none font-bold">{row.method}</b>{' '}
          <span className="cut" title={shortText(row.url, 400)}>
            <Shown text={shortAddress(row.url)} max={200} />
          </span>
        </span>
        <span className="baseline flex min-w-0 gap-3 text-xs text-dim">
          <span
            className="cut inline-flex items-center gap-2 font-semibold text-tone icon-xs"
            data-tone={status === null ? 'invalid' : statusTone(status)}
          >
            {status === null ? (
              <>
                <Icons.Unplug /> no response
              </>
            ) : (
              `${status} ${statusWord(status)}`
            )}
          </span>
          <span className="flex-none">{formatDuration(row.durationMs)}</span>
          <Time className="ml-auto flex-none" at={row.sentAt}>
            {ago(row.sentAt, now)}
          </Time>
        </span>
      </button>
    </li>
  )
}
