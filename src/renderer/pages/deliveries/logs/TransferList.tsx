import { Icons } from '#kit/icons.tsx'
import { useRef } from 'react'
import { cx } from '#kit/cx.ts'
import { Button, IconButton, CopyButton } from '#kit/Button.tsx'
import { focusAfter } from '#kit/focus.ts'
import { Shown } from '#kit/Shown.tsx'
import { escapeControls } from '#kit/text/visible.ts'
import { useClient } from '#client/use-client.ts'
import { logAddress } from '#client/addresses/pages.ts'
import { Progress } from '#kit/Progress.tsx'
import { type Transfer, isTransferActive, transfers, useLogs } from '#client/state/logs.ts'
import { TransferIcon } from '#parts/event-logs/LogStrip.tsx'
import {
  cancelTransfer,
  dismissTransfer,
  shareOfTransfer,
  transferTitle,
  describeTransfer,
} from '#parts/event-logs/labels.ts'

/** Current exports and imports, and the results of finished ones until they are dismissed. */
export function TransferList() {
  const view = useLogs()
  const list = useRef<HTMLElement>(null)
  const all = transfers(view)
  if (all.length === 0) return null
  /** Makes a change that removes the focused button, then focuses the next "Dismiss" button, otherwise "Import". */
  const changeAndRefocus = (change: () => void): void =>
    focusAfter(
      change,
      () =>
        list.current?.querySelector<HTMLElement>('[data-dismiss]') ??
        document.querySelector<HTMLElement>('[data-import]'),
    )
  return (
    <section aria-label="Exports and imports" ref={list}>
      <ul className="lined framed grid">
        {all.map((transfer) => (
          <TransferRow
            key={`${transfer.direction} ${transfer.of.id}`}
            transfer={transfer}
            changeAndRefocus={changeAndRefocus}
          />
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  readonly transfer: Transfer
  readonly changeAndRefocus: (change: () => void) => void
}

function TransferRow({ transfer, changeAndRefocus }: RowProps) {
  const client = useClient()
  const { direction, of } = transfer
  const active = isTransferActive(of)
  const description = describeTransfer(transfer)
  const title = transferTitle(transfer)
  const Icon = direction === 'export' ? Icons.FileOutput : Icons.FileInput
  return (
    <li
      className="transfer grid grid-cols-auto-1-auto items-start gap-5 px-6 py-5"
      data-state={of.state}
    >
      <Icon aria-hidden className="mt-1 text-dim" />
      <div className="grid min-w-0 gap-1">
        <p
          className="flex items-center gap-3 wrap-anywhere"
          role={of.state === 'failed' ? 'alert' : 'status'}
        >
          <TransferIcon state={of.state} />
          <b>{title}</b>
        </p>
        <p
          className={cx(
            'transfer-words text-s wrap-anywhere',
            of.state === 'failed' ? 'text-invalid' : 'text-mid',
          )}
        >
          <Shown text={description} />
        </p>
        {direction === 'export' && of.path !== null && of.state === 'done' && (
          <p className="flex min-w-0 items-center gap-2 text-s wrap-anywhere text-mid">
            <code className="mono select-text">
              <Shown text={of.path} />
            </code>
            <CopyButton text={of.path} label="Copy path" />
          </p>
        )}
        {direction === 'export' && of.path === null && of.state === 'done' && (
          <p className="text-s text-dim">Saved to your Downloads folder.</p>
        )}
        {active && (
          <div className="mt-2">
            <Progress label={title} share={shareOfTransfer(transfer)} words={description} />
          </div>
        )}
      </div>
      <div className="flex items-center gap-3">
        {active && (
          <Button
            aria-label={`Cancel ${escapeControls(of.name)}`}
            onClick={() => changeAndRefocus(() => cancelTransfer(client, transfer))}
          >
            Cancel
          </Button>
        )}
        {direction === 'import' && of.logId !== null && (
          <a className="button" data-kind="plain" href={logAddress(of.logId)}>
            Open
          </a>
        )}
        {!active && (
          <IconButton
            label={`Dismiss ${escapeControls(of.name)}`}
            data-dismiss
            onClick={() => changeAndRefocus(() => dismissTransfer(client, transfer))}
          >
            <Icons.X />
          </IconButton>
        )}
      </div>
    </li>
  )
}
