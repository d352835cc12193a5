import { Icons, type Icon } from '#kit/icons.tsx'
import { StatusLine } from '#kit/Strip.tsx'
import { Button } from '#kit/Button.tsx'
import { useClient } from '#client/use-client.ts'
import { useShell } from '#client/state/app.ts'
import { logAddress, logOf } from '#client/addresses/pages.ts'
import { Progress } from '#kit/Progress.tsx'
import { isTransferActive, transferToReport, useLogs, type Transfer } from '#client/state/logs.ts'
import {
  cancelTransfer,
  dismissTransfer,
  shareOfTransfer,
  transferTitle,
  describeTransfer,
} from './labels.ts'

/** The progress of an export or import, on every page while it runs, and afterwards until it is dismissed. */
export function LogStrip() {
  const view = useLogs()
  const onLogsPage = useShell(
    (state) => state.tab === logAddress(null) && logOf(state.hash) === null,
  )
  const current = transferToReport(view)
  return current && !onLogsPage && <TransferStrip transfer={current.first} more={current.more} />
}

interface TransferStripProps {
  readonly transfer: Transfer
  /** How many other transfers there are. */
  readonly more: number
}

function TransferStrip({ transfer, more }: TransferStripProps) {
  const client = useClient()
  const { direction, of } = transfer
  const active = isTransferActive(of)
  const description = describeTransfer(transfer)
  const Icon = direction === 'export' ? Icons.FileOutput : Icons.FileInput
  return (
    <StatusLine
      label="Event logs"
      icon={
        active ? <Icon className="text-accent" aria-hidden /> : <TransferIcon state={of.state} />
      }
      sentence={
        <>
          <span role="status">{transferTitle(transfer)}</span>{' '}
          <span className="text-mid">{description}</span>
        </>
      }
      progress={
        active && (
          <Progress
            label={transferTitle(transfer)}
            share={shareOfTransfer(transfer)}
            words={description}
          />
        )
      }
      actions={
        <>
          {active && (
            <Button kind="quiet" onClick={() => cancelTransfer(client, transfer)}>
              Cancel
            </Button>
          )}
          {direction === 'import' && of.logId !== null && (
            <a className="button" data-kind="plain" href={logAddress(of.logId)}>
              Open
            </a>
          )}
          <a className="button" data-kind="quiet" href={logAddress(null)}>
            {more > 0 ? `${more} more` : 'Show'}
          </a>
        </>
      }
      onClose={active ? undefined : () => dismissTransfer(client, transfer)}
    />
  )
}

const results = {
  running: null,
  done: { tone: 'valid', icon: Icons.Check },
  cancelled: { tone: 'unsigned', icon: Icons.Ban },
  failed: { tone: 'invalid', icon: Icons.X },
} as const satisfies Record<Transfer['of']['state'], { tone: string; icon: Icon } | null>

/** The result of a transfer as an icon. The caller shows the text. */
export function TransferIcon({ state }: Pick<Transfer['of'], 'state'>) {
  const result = results[state]
  return (
    result && (
      <span className="disc" data-tone={result.tone}>
        <result.icon aria-hidden strokeWidth={2.8} />
      </span>
    )
  )
}
