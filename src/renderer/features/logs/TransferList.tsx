import { FileInput, FileOutput, X } from 'lucide-react'
import { useRef } from 'react'
import { Button, IconButton } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { focusAfter } from '../../components/focus-after.ts'
import { Shown } from '../../components/Shown.tsx'
import { visible } from '../../components/text/visible.ts'
import { copyText } from '../../platform/clipboard.ts'
import { useClient } from '../../platform/use-client.ts'
import { logAddress } from './address.ts'
import type { Refused } from './import/store.ts'
import { dismissRefused, useImporting } from './import/store.ts'
import { Progress } from './Progress.tsx'
import type { Transfer } from './store.ts'
import { isTransferActive, transfers, useLogs } from './store.ts'
import { TransferIcon } from './TransferIcon.tsx'
import { cancelTransfer, dismissTransfer } from './transfers.ts'
import { shareOfTransfer, transferTitle, describeTransfer } from './transfer-labels.ts'

/** What is exported and imported now, and what became of what was, until it is dismissed. */
export function TransferList() {
  const view = useLogs()
  const refused = useImporting((state) => state.refused)
  const waiting = useImporting((state) => state.waiting)
  const list = useRef<HTMLElement>(null)
  const all = transfers(view)
  if (all.length + refused.length + waiting === 0) return null
  /** The next button that dismisses, else the one that imports: what was pressed is gone. */
  const goOn = (change: () => void): void =>
    focusAfter(
      change,
      () =>
        list.current?.querySelector<HTMLElement>('[data-dismiss]') ??
        document.querySelector<HTMLElement>('[data-import]'),
    )
  return (
    <section className="transfers" aria-label="Exports and imports" ref={list}>
      <ul>
        {refused.map((one) => (
          <RefusedRow
            key={one.id}
            refused={one}
            onDismiss={() => goOn(() => dismissRefused(one.id))}
          />
        ))}
        {all.map((transfer) => (
          <TransferRow key={`${transfer.way} ${transfer.of.id}`} transfer={transfer} goOn={goOn} />
        ))}
      </ul>
      {waiting > 0 && (
        <p className="transfer-waiting mid" role="status">
          {waiting === 1 ? 'One more file waits' : `${waiting} more files wait`} for the one before.
        </p>
      )}
    </section>
  )
}

interface RowProps {
  readonly transfer: Transfer
  readonly goOn: (change: () => void) => void
}

function TransferRow({ transfer, goOn }: RowProps) {
  const client = useClient()
  const { way, of } = transfer
  const going = isTransferActive(of)
  const words = describeTransfer(transfer)
  const title = transferTitle(transfer)
  const Icon = way === 'export' ? FileOutput : FileInput
  return (
    <li className="transfer" data-state={of.state}>
      <Icon aria-hidden className="transfer-way" />
      <div className="transfer-main">
        <p className="transfer-title" role={of.state === 'failed' ? 'alert' : 'status'}>
          <TransferIcon transfer={transfer} />
          <b>{title}</b>
        </p>
        <p className="transfer-words" data-tone={of.state === 'failed' ? 'invalid' : undefined}>
          <Shown text={words} />
        </p>
        {way === 'export' && of.path !== null && of.state === 'done' && (
          <p className="transfer-path">
            <code className="mono selectable">
              <Shown text={of.path} />
            </code>
            <CopyButton text={of.path} label="Copy the path" copy={copyText} />
          </p>
        )}
        {way === 'export' && of.path === null && of.state === 'done' && (
          <p className="transfer-path dim">It is where your browser keeps downloads.</p>
        )}
        {going && <Progress label={title} share={shareOfTransfer(transfer)} words={words} />}
      </div>
      <div className="transfer-commands">
        {going && (
          <Button
            aria-label={`Cancel ${visible(of.name)}`}
            onClick={() => goOn(() => cancelTransfer(client, transfer))}
          >
            Cancel
          </Button>
        )}
        {way === 'import' && of.logId !== null && (
          <a className="button" data-kind="plain" href={logAddress(of.logId)}>
            Open
          </a>
        )}
        {!going && (
          <IconButton
            label={`Dismiss ${visible(of.name)}`}
            data-dismiss
            onClick={() => goOn(() => dismissTransfer(client, transfer))}
          >
            <X aria-hidden />
          </IconButton>
        )}
      </div>
    </li>
  )
}

interface RefusedProps {
  readonly refused: Refused
  readonly onDismiss: () => void
}

function RefusedRow({ refused: { name, message }, onDismiss }: RefusedProps) {
  return (
    <li className="transfer" data-state="failed">
      <FileInput aria-hidden className="transfer-way" />
      <div className="transfer-main">
        <p className="transfer-title" role="alert">
          <span className="disc" data-tone="invalid">
            <X aria-hidden strokeWidth={2.8} />
          </span>
          <b>{visible(name)} could not be imported</b>
        </p>
        <p className="transfer-words" data-tone="invalid">
          {message}
        </p>
      </div>
      <div className="transfer-commands">
        <IconButton label={`Dismiss ${visible(name)}`} data-dismiss onClick={onDismiss}>
          <X aria-hidden />
        </IconButton>
      </div>
    </li>
  )
}
