import { FileInput, FileOutput, X } from 'lucide-react'
import { Button, IconButton } from '../../components/Button.tsx'
import { visible } from '../../components/text/visible.ts'
import { useClient } from '../../platform/use-client.ts'
import { useShell } from '../shell/store.ts'
import { logAddress, logOf } from './address.ts'
import { dismissRefused, useImporting } from './import/store.ts'
import { Progress } from './Progress.tsx'
import { isTransferActive, transferToReport, useLogs } from './store.ts'
import type { Transfer } from './store.ts'
import { TransferIcon } from './TransferIcon.tsx'
import { cancelTransfer, dismissTransfer } from './transfers.ts'
import { shareOfTransfer, transferTitle, describeTransfer } from './transfer-labels.ts'
import './LogStrip.css'

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
      <section className="log-strip" aria-label="Event logs" data-ended>
        <FileInput aria-hidden />
        <p role="alert" className="log-strip-words" data-tone="invalid">
          <b>“{visible(refused.name)}” could not be imported.</b> {refused.message}
        </p>
        <IconButton label="Dismiss" onClick={() => dismissRefused(refused.id)}>
          <X aria-hidden />
        </IconButton>
      </section>
    )
  }
  return told && <Told transfer={told.first} more={told.more + waiting} />
}

function Told({ transfer, more }: { readonly transfer: Transfer; readonly more: number }) {
  const client = useClient()
  const { way, of } = transfer
  const going = isTransferActive(of)
  const words = describeTransfer(transfer)
  return (
    <section className="log-strip" aria-label="Event logs" data-ended={!going || undefined}>
      {way === 'export' ? <FileOutput aria-hidden /> : <FileInput aria-hidden />}
      <p className="log-strip-words">
        {!going && <TransferIcon transfer={transfer} />}
        <span role="status">{transferTitle(transfer)}</span> <span className="mid">{words}</span>
      </p>
      {going && (
        <Progress label={transferTitle(transfer)} share={shareOfTransfer(transfer)} words={words} />
      )}
      <span className="log-strip-commands">
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
      </span>
    </section>
  )
}
