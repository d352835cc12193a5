import { FileInput, FileOutput, X } from 'lucide-react'
import { Text, Row } from '../../ui/Layout.tsx'
import { StatusStrip } from '../../ui/StatusStrip.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { visible } from '../../ui/text/visible.ts'
import { useClient } from '../../platform/use-client.ts'
import { useShell } from '../../state/app.ts'
import { logAddress, logOf } from '../../routes/logs.ts'
import { dismissRefused, useImporting } from './import/store.ts'
import { Progress } from '../../ui/Progress.tsx'
import { isTransferActive, transferToReport, useLogs } from '../../state/logs.ts'
import type { Transfer } from '../../state/logs.ts'
import { TransferIcon } from './TransferIcon.tsx'
import {
  cancelTransfer,
  dismissTransfer,
  shareOfTransfer,
  transferTitle,
  describeTransfer,
} from './transfers.ts'

/** On every page while something is exported or imported, and afterwards until it was seen. */
export function LogStrip() {
  const view = useLogs()
  const refused = useImporting((state) => state.refused[0])
  const waiting = useImporting((state) => state.waiting)
  const listed = useShell((state) => state.page === 'logs' && logOf(state.hash) === null)
  const told = transferToReport(view)
  if (listed) return null
  if (refused !== undefined) {
    return (
      <StatusStrip
        label="Event logs"
        className="log-strip"
        icon={<FileInput className="tone-accent" aria-hidden />}
        actions={
          <IconButton label="Dismiss" onClick={() => dismissRefused(refused.id)}>
            <X aria-hidden />
          </IconButton>
        }
      >
        <Row as="p" wrap gap={1} gapX={4} align="center" shrink anywhere role="alert">
          <Text as="b" tone="invalid">
            “{visible(refused.name)}” could not be imported.
          </Text>{' '}
          {refused.message}
        </Row>
      </StatusStrip>
    )
  }
  return told && <Told transfer={told.first} more={told.more + waiting} />
}

function Told({ transfer, more }: { readonly transfer: Transfer; readonly more: number }) {
  const client = useClient()
  const { way, of } = transfer
  const going = isTransferActive(of)
  const words = describeTransfer(transfer)
  const Icon = way === 'export' ? FileOutput : FileInput
  return (
    <StatusStrip
      label="Event logs"
      className="log-strip"
      icon={<Icon className="tone-accent" aria-hidden />}
      progress={
        going ? (
          <Progress
            label={transferTitle(transfer)}
            share={shareOfTransfer(transfer)}
            words={words}
          />
        ) : undefined
      }
      actions={
        <>
          {going && (
            <Button kind="quiet" onClick={() => cancelTransfer(client, transfer)}>
              Cancel
            </Button>
          )}
          {way === 'import' && of.logId !== null && (
            <a className="button" data-kind="plain" href={logAddress(of.logId)}>
              Open
            </a>
          )}
          <a className="button" data-kind="quiet" href={logAddress(null)}>
            {more > 0 ? `${more} more` : 'Show'}
          </a>
          {!going && (
            <IconButton label="Dismiss" onClick={() => dismissTransfer(client, transfer)}>
              <X aria-hidden />
            </IconButton>
          )}
        </>
      }
    >
      <Row as="p" wrap gap={1} gapX={4} align="center" shrink anywhere>
        {!going && <TransferIcon transfer={transfer} />}
        <span role="status">{transferTitle(transfer)}</span> <span className="mid">{words}</span>
      </Row>
    </StatusStrip>
  )
}
