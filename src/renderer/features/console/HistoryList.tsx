import { plural, formatDuration } from '#shared/text/format.ts'
import { Icons } from '../../ui/icons.tsx'
import type { ApiSummary } from '#contract/api.ts'
import { Text, Row } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { confirm } from '../../ui/Confirm.tsx'
import { Empty, WhenLoaded } from '../../ui/Note.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { ago } from '../../ui/text/time.ts'
import { shortText } from '../../ui/text/visible.ts'
import { useNow, Time } from '../../ui/Time.tsx'
import { useClient, useQuery, useRefresh } from '../../platform/use-client.ts'
import { toast } from '../../platform/toasts.ts'
import { shortAddress } from '../../routes/console.ts'
import { showExchange } from './send.ts'
import { statusTone, statusWord } from '../../ui/text/status.ts'
import { refreshEvery, useConsole } from './store.ts'

/** How many requests are listed. The maximum that the contract allows. */
const limit = 500

/** The sent requests, newest first. Selecting one restores the request and its response. */
export function HistoryList({ integrationId }: { readonly integrationId: number }) {
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
            <div className="grow shrink scroll" data-scrolls>
              <ul className="lined" aria-label="History">
                {rows.map((row, index) => (
                  <HistoryRow key={row.id} row={row} first={index === 0} />
                ))}
              </ul>
            </div>
            <div className="pad-y-3 pad-x-4 line-top fixed">
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
          <span className="cut" title={shortText(row.url, 400)}>
            <Shown text={shortAddress(row.url)} max={200} />
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
                <Icons.Unplug /> no response
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
