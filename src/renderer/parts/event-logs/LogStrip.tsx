import { Icons, type Icon } from '#kit/icons.tsx'
import { useRef } from 'react'
import { cx } from '#kit/cx.ts'
import { StatusLine } from '#kit/Strip.tsx'
import { Button, CopyButton, IconButton } from '#kit/Button.tsx'
import { focusAfter } from '#kit/focus.ts'
import { Shown } from '#kit/Shown.tsx'
import { escapeControls } from '#kit/text/visible.ts'
import { useClient } from '#client/use-client.ts'
import { useShell } from '#client/state/app.ts'
import { logAddress, logOf } from '#client/addresses/pages.ts'
import { Progress } from '#kit/Progress.tsx'
import {
  isTransferActive,
  transfers,
  transferToReport,
  useLogs,
  type Transfer,
} from '#client/state/logs.ts'
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

/** What the strip and the list show of a transfer. */
function partsOf(transfer: Transfer) {
  const { direction, of } = transfer
  const title = transferTitle(transfer)
  const description = describeTransfer(transfer)
  const result = results[of.state]
  return {
    active: isTransferActive(of),
    title,
    description,
    Icon: direction === 'export' ? Icons.FileOutput : Icons.FileInput,
    result: result && (
      <span className="disc" data-tone={result.tone}>
        <result.icon aria-hidden strokeWidth={2.8} />
      </span>
    ),
    progress: <Progress label={title} share={shareOfTransfer(transfer)} words={description} />,
    open: direction === 'import' && of.logId !== null && (
      <a className="button" data-kind="plain" href={logAddress(of.logId)}>
        Open
      </a>
    ),
  }
}

const results = {
  running: null,
  done: { tone: 'valid', icon: Icons.Check },
  cancelled: { tone: 'unsigned', icon: Icons.Ban },
  failed: { tone: 'invalid', icon: Icons.X },
} as const satisfies Record<Transfer['of']['state'], { tone: string; icon: Icon } | null>

interface StripProps {
  transfer: Transfer
  /** How many other transfers there are. */
  more: number
}

function TransferStrip({ transfer, more }: StripProps) {
  const client = useClient()
  const { active, title, description, Icon, result, progress, open } = partsOf(transfer)
  return (
    <StatusLine
      label="Event logs"
      icon={result ?? <Icon className="text-accent" aria-hidden />}
      sentence={
        <>
          <span role="status">{title}</span> <span className="text-mid">{description}</span>
        </>
      }
      progress={active && progress}
      actions={
        <>
          {active && (
            <Button kind="quiet" onClick={() => cancelTransfer(client, transfer)}>
              Cancel
            </Button>
          )}
          {open}
          <a className="button" data-kind="quiet" href={logAddress(null)}>
            {more > 0 ? `${more} more` : 'Show'}
          </a>
        </>
      }
      onClose={active ? undefined : () => dismissTransfer(client, transfer)}
    />
  )
}

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

function TransferRow({
  transfer,
  changeAndRefocus,
}: {
  transfer: Transfer
  changeAndRefocus: (change: () => void) => void
}) {
  const client = useClient()
  const { direction, of } = transfer
  const { active, title, description, Icon, result, progress, open } = partsOf(transfer)
  const isFailed = of.state === 'failed'
  return (
    <li
      className="transfer grid grid-cols-auto-1-auto items-start gap-5 px-6 py-5"
      data-state={of.state}
    >
      <Icon aria-hidden className="mt-1 text-dim" />
      <div className="grid min-w-0 gap-1">
        <p className="flex items-center gap-3 wrap-anywhere" role={isFailed ? 'alert' : 'status'}>
          {result}
          <b>{title}</b>
        </p>
        <p
          className={cx(
            'transfer-words text-s wrap-anywhere',
            isFailed ? 'text-invalid' : 'text-mid',
          )}
        >
          <Shown text={description} />
        </p>
        {direction === 'export' && of.state === 'done' && (
          <p className="flex min-w-0 items-center gap-2 text-s wrap-anywhere text-mid">
            {of.path === null ? (
              'Saved to your Downloads folder.'
            ) : (
              <>
                <code className="mono select-text">
                  <Shown text={of.path} />
                </code>
                <CopyButton text={of.path} label="Copy path" />
              </>
            )}
          </p>
        )}
        {active && <div className="mt-2">{progress}</div>}
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
        {open}
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
