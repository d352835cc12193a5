import { Icons } from '../../ui/icons.tsx'
import { useRef } from 'react'
import { Text, Grid, Row, Stack } from '../../ui/Layout.tsx'
import { Button, IconButton, CopyButton } from '../../ui/Button.tsx'
import { focusAfter } from '../../ui/focus.ts'
import { Shown } from '../../ui/Shown.tsx'
import { escapeControls } from '../../ui/text/visible.ts'
import { useClient } from '../../platform/use-client.ts'
import { logAddress } from '../../routes/logs.ts'
import { Progress } from '../../ui/Progress.tsx'
import { type Transfer, isTransferActive, transfers, useLogs } from '../../state/logs.ts'
import { TransferIcon } from './LogStrip.tsx'
import {
  cancelTransfer,
  dismissTransfer,
  shareOfTransfer,
  transferTitle,
  describeTransfer,
} from './transfers.ts'

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
      <Stack as="ul" lined frame>
        {all.map((transfer) => (
          <TransferRow
            key={`${transfer.direction} ${transfer.of.id}`}
            transfer={transfer}
            changeAndRefocus={changeAndRefocus}
          />
        ))}
      </Stack>
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
    <Grid
      as="li"
      columns="auto 1 auto"
      gap={5}
      align="start"
      pad={[5, 6]}
      className="transfer"
      data-state={of.state}
    >
      <Icon aria-hidden className="margin-top-1 tone-dim" />
      <Stack gap={1} shrink>
        <Row
          as="p"
          gap={3}
          align="center"
          anywhere
          role={of.state === 'failed' ? 'alert' : 'status'}
        >
          <TransferIcon state={of.state} />
          <b>{title}</b>
        </Row>
        <Text
          as="p"
          tone={of.state === 'failed' ? 'invalid' : 'mid'}
          size="s"
          anywhere
          className="transfer-words"
        >
          <Shown text={description} />
        </Text>
        {direction === 'export' && of.path !== null && of.state === 'done' && (
          <Row as="p" align="center" gap={2} shrink tone="mid" size="s" anywhere>
            <code className="mono selectable">
              <Shown text={of.path} />
            </code>
            <CopyButton text={of.path} label="Copy path" />
          </Row>
        )}
        {direction === 'export' && of.path === null && of.state === 'done' && (
          <Text as="p" tone="dim" size="s">
            Saved to your Downloads folder.
          </Text>
        )}
        {active && (
          <div className="margin-top-2">
            <Progress label={title} share={shareOfTransfer(transfer)} words={description} />
          </div>
        )}
      </Stack>
      <Row gap={3} align="center">
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
      </Row>
    </Grid>
  )
}
