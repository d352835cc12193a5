import { CircleAlert, History, Trash2, Unplug } from 'lucide-react'
import { useState } from 'react'
import type { ApiSummary } from '#contract/api.ts'
import { Button } from '../../components/Button.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { Empty } from '../../components/Empty.tsx'
import { Shown } from '../../components/Shown.tsx'
import { counted } from '../../components/text/numbers.ts'
import { ago, fullTime, span, utcTime } from '../../components/text/time.ts'
import { cut, visible } from '../../components/text/visible.ts'
import { useNow } from '../../components/use-now.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { say } from '../shell/toasts.ts'
import { shortAddress } from './address.ts'
import { showExchange } from './send.ts'
import { statusTone, statusWord } from '../../components/text/status.ts'
import { useConsole } from './store.ts'
import { useHistory } from './use-history.ts'

/** The requests that were sent, newest first. One click brings the request and its answer back. */
export function HistoryList({ integrationId }: { readonly integrationId: number }) {
  const client = useClient()
  const { rows, more, busy, error, loadMore, reload } = useHistory(integrationId)
  const [clearing, setClearing] = useState(false)
  const clear = useAction(async () => {
    const { deleted } = await client.call('api.clearHistory', {})
    setClearing(false)
    say('valid', `${counted(deleted, 'request', 'requests')} deleted from the history.`)
  })

  if (error !== null && rows === null) {
    return (
      <Empty
        icon={<CircleAlert aria-hidden />}
        title="The history could not be read"
        actions={<Button onClick={reload}>Try again</Button>}
      >
        {error}
      </Empty>
    )
  }
  if (rows === null) return <div className="side-list" role="status" aria-label="Loading" />
  if (rows.length === 0) {
    return (
      <Empty icon={<History aria-hidden />} title="Nothing sent yet">
        Each request and its answer are kept here.
      </Empty>
    )
  }
  return (
    <>
      <div className="side-list" data-scrolls>
        <ul aria-label="History">
          {rows.map((row, index) => (
            <Row key={row.id} row={row} first={index === 0} />
          ))}
        </ul>
        {more && (
          <Button kind="quiet" busy={busy} onClick={loadMore}>
            Earlier ones
          </Button>
        )}
      </div>
      <div className="side-foot">
        <Button kind="quiet" icon={<Trash2 aria-hidden />} onClick={() => setClearing(true)}>
          Clear history
        </Button>
      </div>
      <Confirm
        open={clearing}
        onClose={() => {
          setClearing(false)
          clear.reset()
        }}
        title="Clear the history?"
        description="All requests of all integrations go with their answers. What is saved stays."
        action="Clear history"
        busy={clear.busy}
        error={clear.error === null ? null : sentence(clear.error)}
        onConfirm={() => clear.start()}
      />
    </>
  )
}

function Row({ row, first }: { readonly row: ApiSummary; readonly first: boolean }) {
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
        className="side-row"
        aria-current={here || undefined}
        data-first={first || undefined}
        onClick={() => void showExchange(client, row.id, row.integrationId)}
      >
        <span className="side-what mono">
          <b>{row.method}</b>{' '}
          <span className="cut" title={visible(cut(row.url, 400))}>
            <Shown text={cut(shortAddress(row.url), 200)} />
          </span>
        </span>
        <span className="side-facts">
          <span
            className="side-status"
            data-tone={status === null ? 'invalid' : statusTone(status)}
          >
            {status === null ? (
              <>
                <Unplug aria-hidden /> no answer
              </>
            ) : (
              `${status} ${statusWord(status)}`
            )}
          </span>
          <span className="side-took">{span(row.took)}</span>
          <time dateTime={utcTime(row.at)} title={fullTime(row.at)}>
            {ago(row.at, now)}
          </time>
        </span>
      </button>
    </li>
  )
}
