import {
  Check,
  ClipboardCopy,
  FileOutput,
  Link2,
  MessageSquareText,
  Route,
  Share2,
  Terminal,
  TriangleAlert,
} from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { keepableClasses, redactedValues } from '#contract/redaction.ts'
import type { KeepableClass } from '#contract/redaction.ts'
import { copyText } from '../../../platform/clipboard.ts'
import { useClient } from '../../../platform/use-client.ts'
import { useKeys } from '../../shell/command-registry.ts'
import { linkTo } from '../../deliveries/link.ts'
import { useCan } from '../../shell/store.ts'
import { say } from '../../shell/toasts.ts'
import { askExport } from '../export/asking.ts'
import type { ExportAsk } from '../export/what.ts'
import type { CopyFormat } from './copy-as.ts'
import { copyAs, copyFormats } from './copy-as.ts'
import '../../authorization/IntegrationSwitcher.css'
import './Share.css'

interface Props {
  /** Null: the live store. */
  readonly log: number | null
  readonly id: number
  /** As the delivery is called. */
  readonly title: string
}

/** What can be handed on of one delivery: as text for a chat or a shell, or as a file. Redacted, unless it says otherwise. */
export function ShareMenu({ log, id, title }: Props) {
  const client = useClient()
  /** Of this delivery alone: another one is redacted in full again. */
  const [keep, setKeep] = useState<readonly KeepableClass[]>([])
  const copy = (format: CopyFormat, redact: boolean): void =>
    void copyAs(client, { log, id, format, redact, keep })
  const links = useCan('links')
  const link = linkTo(id, log, { links, page: location.href })
  const copyLink =
    link === null
      ? null
      : (): void =>
          void copyText(link).then(
            () => say('valid', 'The link is copied. It leads here, on this machine alone.'),
            () => say('invalid', 'It could not be copied.'),
          )
  useKeys({
    'copy-chat': () => copy('markdown', true),
    ...(copyLink === null ? {} : { 'copy-link': copyLink }),
  })
  const trigger = useRef<HTMLButtonElement>(null)
  /** Asked once the menu has given the focus back: there it goes again from the dialog. */
  const asked = useRef<ExportAsk['which'] | null>(null)
  function closed(event: Event): void {
    event.preventDefault()
    trigger.current?.focus()
    const which = asked.current
    asked.current = null
    if (which !== null) askExport({ log, which, chosen: [id], traceOf: { id, title } })
  }
  return (
    // Not modal: a modal menu locks scrolling with a style element, which the content security policy refuses.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        ref={trigger}
        className="button share-trigger"
        title="Copy or export this delivery"
      >
        <Share2 aria-hidden /> Share
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        className="menu share-menu"
        align="end"
        sideOffset={6}
        collisionPadding={8}
        data-scrolls
        onCloseAutoFocus={closed}
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
        <DropdownMenu.Label className="share-label">Redact in copied text</DropdownMenu.Label>
        {keepableClasses.map((name) => (
          <DropdownMenu.CheckboxItem
            key={name}
            className="menu-item"
            checked={!keep.includes(name)}
            onCheckedChange={(redacted) =>
              setKeep(redacted ? keep.filter((one) => one !== name) : [...keep, name])
            }
            // The menu stays open: a copy follows.
            onSelect={(event) => event.preventDefault()}
          >
            <span className="menu-tick">
              <DropdownMenu.ItemIndicator>
                <Check aria-hidden />
              </DropdownMenu.ItemIndicator>
            </span>
            {redactedValues[name].label}
          </DropdownMenu.CheckboxItem>
        ))}
        <DropdownMenu.Separator className="menu-line" />
        <Item
          icon={<FileOutput aria-hidden />}
          onSelect={() => {
            asked.current = 'chosen'
          }}
        >
          Export this delivery…
        </Item>
        <Item
          icon={<Route aria-hidden />}
          onSelect={() => {
            asked.current = 'trace'
          }}
        >
          Export its trace…
        </Item>
        <DropdownMenu.Separator className="menu-line" />
        <DropdownMenu.Label className="share-label">
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
