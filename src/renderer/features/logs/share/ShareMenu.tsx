import {
  ClipboardCopy,
  FileOutput,
  Link2,
  MessageSquareText,
  Route,
  Share2,
  Terminal,
  TriangleAlert,
} from '../../../ui/icons.tsx'
import { DropdownMenu } from 'radix-ui'
import { useRef, type ReactNode } from 'react'
import { copyText } from '../../../platform/clipboard.ts'
import { useClient } from '../../../platform/use-client.ts'
import { useKeys } from '../../../platform/command-registry.ts'
import { linkTo } from '../../../routes/deliveries.ts'
import { useCan } from '../../../state/app.ts'
import { toast } from '../../../platform/toasts.ts'
import { openExportDialog } from '../export/draft.ts'
import type { ExportAsk } from '../export/selection.ts'
import { messageOf } from '../../../platform/call-error.ts'
import type { Client } from '../../../platform/client.ts'
import { plural } from '#shared/text/format.ts'
import '../../../ui/Menu.css'

/** The formats in which a delivery can be copied. */
const copyFormats = [
  { format: 'curl', label: 'curl' },
  { format: 'fetch', label: 'fetch' },
] as const

type CopyFormat = 'markdown' | (typeof copyFormats)[number]['format']

interface CopyRequest {
  /** The log of the delivery; null for the live store. */
  readonly log: number | null
  readonly id: number
  readonly format: CopyFormat
  readonly redact: boolean
}

/** Copies one delivery as text, and reports what was redacted. */
async function copyAs(client: Client, { log, id, format, redact }: CopyRequest): Promise<void> {
  try {
    const { text, removed, cut } = await client.call('logs.text', {
      log,
      id,
      format,
      redact,
    })
    await copyText(text)
    toast('valid', copyMessage({ format, redact, removed, cut }), { about: 'copied' })
  } catch (error) {
    toast('invalid', `Could not copy. ${messageOf(error)}`, { about: 'copied' })
  }
}

interface CopyResult {
  readonly format: CopyFormat
  readonly redact: boolean
  readonly removed: number
  readonly cut: boolean
}

/** The message after a copy. */
export function copyMessage({ format, redact, removed, cut }: CopyResult): string {
  const label = copyFormats.find((entry) => entry.format === format)?.label
  const what = label === undefined ? 'Copied for a chat' : `Copied as ${label}`
  const redaction = redact
    ? `redacted: ${plural(removed, 'alias or masked value', 'aliases and masked values')}`
    : 'not redacted: it contains all values'
  return `${what}, ${redaction}.${cut ? ' Truncated at 1 MiB. Export it to get everything.' : ''}`
}

interface Props {
  /** Null: the live store. */
  readonly log: number | null
  readonly id: number
  readonly title: string
}

/** Shares one delivery as text for a chat or a shell, or as a file. Redacted unless the item says otherwise. */
export function ShareMenu({ log, id, title }: Props) {
  const client = useClient()
  const copy = (format: CopyFormat, redact: boolean): void =>
    void copyAs(client, { log, id, format, redact })
  const links = useCan('links')
  const link = linkTo(id, log, { links, page: location.href })
  const copyLink =
    link === null
      ? null
      : (): void =>
          void copyText(link).then(
            () => toast('valid', 'Link copied. It works only on this machine.'),
            () => toast('invalid', 'Could not copy the link.'),
          )
  useKeys({
    'copy-chat': () => copy('markdown', true),
    ...(copyLink === null ? {} : { 'copy-link': copyLink }),
  })
  const trigger = useRef<HTMLButtonElement>(null)
  /** The export to open after the menu has returned the focus, so that the dialog returns it to the same button. */
  const pendingExport = useRef<ExportAsk['which'] | null>(null)
  function onMenuClosed(event: Event): void {
    event.preventDefault()
    trigger.current?.focus()
    const which = pendingExport.current
    pendingExport.current = null
    if (which !== null) openExportDialog({ log, which, selected: [id], traceOf: { id, title } })
  }
  return (
    // Not modal: a modal menu locks scrolling with a style element, which the content security policy refuses.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger ref={trigger} className="button" title="Copy or export this delivery">
        <Share2 aria-hidden /> Share
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        className="menu"
        align="end"
        sideOffset={6}
        collisionPadding={8}
        data-scrolls
        onCloseAutoFocus={onMenuClosed}
      >
        <Item icon={<MessageSquareText aria-hidden />} onSelect={() => copy('markdown', true)}>
          <span className="menu-words">
            Copy for a chat
            <small className="dim">as Markdown, redacted</small>
          </span>
          <kbd aria-hidden>Y</kbd>
        </Item>
        {copyLink === null ? null : (
          <Item icon={<Link2 aria-hidden />} onSelect={copyLink}>
            Copy link
          </Item>
        )}
        {copyFormats.map(({ format, label }) => (
          <Item key={format} icon={<Terminal aria-hidden />} onSelect={() => copy(format, true)}>
            Copy as {label}
          </Item>
        ))}
        <DropdownMenu.Separator className="menu-line" />
        <Item
          icon={<FileOutput aria-hidden />}
          onSelect={() => {
            pendingExport.current = 'selected'
          }}
        >
          Export this delivery…
        </Item>
        <Item
          icon={<Route aria-hidden />}
          onSelect={() => {
            pendingExport.current = 'trace'
          }}
        >
          Export its trace…
        </Item>
        <DropdownMenu.Separator className="menu-line" />
        <DropdownMenu.Label className="row gap-3 align-center pad-y-2 pad-x-4 size-xs weight-semibold tone-warning icon-xs">
          <TriangleAlert aria-hidden /> Not redacted, for your own use
        </DropdownMenu.Label>
        {copyFormats.map(({ format, label }) => (
          <Item
            key={format}
            icon={<ClipboardCopy aria-hidden />}
            onSelect={() => copy(format, false)}
          >
            <span>
              Copy as {label}
              <span className="dim">, with all values</span>
            </span>
          </Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

interface ItemProps {
  readonly icon: ReactNode
  readonly onSelect: () => void
  readonly children: ReactNode
}

function Item({ icon, onSelect, children }: ItemProps) {
  return (
    <DropdownMenu.Item className="menu-item" onSelect={onSelect}>
      <span className="menu-tick">{icon}</span>
      {children}
    </DropdownMenu.Item>
  )
}
