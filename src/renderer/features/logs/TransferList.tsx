import { FileInput, FileOutput, X } from 'lucide-react'
import { useRef } from 'react'
import { Text, Grid, Row, Stack } from '../../ui/Layout.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { focusAfter } from '../../ui/focus.ts'
import { Shown } from '../../ui/Shown.tsx'
import { visible } from '../../ui/text/visible.ts'
import { copyText } from '../../platform/clipboard.ts'
import { useClient } from '../../platform/use-client.ts'
import { logAddress } from '../../routes/logs.ts'
import type { Refused } from './import/store.ts'
import { dismissRefused, useImporting } from './import/store.ts'
import { Progress } from '../../ui/Progress.tsx'
import type { Transfer } from '../../state/logs.ts'
import { isTransferActive, transfers, useLogs } from '../../state/logs.ts'
import { TransferIcon } from './TransferIcon.tsx'
import {
  cancelTransfer,
  dismissTransfer,
  shareOfTransfer,
  transferTitle,
  describeTransfer,
} from './transfers.ts'

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
    <section aria-label="Exports and imports" ref={list}>
      <Stack as="ul" lined frame>
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
      </Stack>
      {waiting > 0 && (
        <Text as="p" above={3} size="s" tone="mid" role="status">
          {waiting === 1 ? 'One more file waits' : `${waiting} more files wait`} for the one before.
        </Text>
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
    <Grid
      as="li"
      columns="auto 1 auto"
      gap={5}
      align="start"
      pad={[5, 6]}
      className="transfer"
      data-state={of.state}
    >
      <Icon aria-hidden className="above-1 tone-dim" />
      <Stack gap={1} shrink>
        <Row
          as="p"
          gap={3}
          align="center"
          anywhere
          role={of.state === 'failed' ? 'alert' : 'status'}
        >
          <TransferIcon transfer={transfer} />
          <b>{title}</b>
        </Row>
        <Text
          as="p"
          tone={of.state === 'failed' ? 'invalid' : 'mid'}
          size="s"
          anywhere
          className="transfer-words"
        >
          <Shown text={words} />
        </Text>
        {way === 'export' && of.path !== null && of.state === 'done' && (
          <Row as="p" align="center" gap={2} shrink tone="mid" size="s" anywhere>
            <code className="mono selectable">
              <Shown text={of.path} />
            </code>
            <CopyButton text={of.path} label="Copy the path" copy={copyText} />
          </Row>
        )}
        {way === 'export' && of.path === null && of.state === 'done' && (
          <Text as="p" tone="dim" size="s">
            Saved to your Downloads folder.
          </Text>
        )}
        {going && (
          <div className="above-2">
            <Progress label={title} share={shareOfTransfer(transfer)} words={words} />
          </div>
        )}
      </Stack>
      <Row gap={3} align="center">
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
      </Row>
    </Grid>
  )
}

interface RefusedProps {
  readonly refused: Refused
  readonly onDismiss: () => void
}

function RefusedRow({ refused: { name, message }, onDismiss }: RefusedProps) {
  return (
    <Grid
      as="li"
      columns="auto 1 auto"
      gap={5}
      align="start"
      pad={[5, 6]}
      className="transfer"
      data-state="failed"
    >
      <FileInput aria-hidden className="above-1 tone-dim" />
      <Stack gap={1} shrink>
        <Row as="p" gap={3} align="center" anywhere role="alert">
          <span className="disc" data-tone="invalid">
            <X aria-hidden strokeWidth={2.8} />
          </span>
          <b>{visible(name)} could not be imported</b>
        </Row>
        <Text as="p" tone="invalid" size="s" anywhere className="transfer-words">
          {message}
        </Text>
      </Stack>
      <Row gap={3} align="center">
        <IconButton label={`Dismiss ${visible(name)}`} data-dismiss onClick={onDismiss}>
          <X aria-hidden />
        </IconButton>
      </Row>
    </Grid>
  )
}
