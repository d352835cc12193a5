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
import { useRef, useState, type ReactNode } from 'react'
import { keepableClasses, redactedValues, type KeepableClass } from '#contract/redaction.ts'
import { copyText } from '../../../platform/clipboard.ts'
import { useClient } from '../../../platform/use-client.ts'
import { useKeys } from '../../../platform/command-registry.ts'
import { linkTo } from '../../../routes/delivery-link.ts'
import { useCan } from '../../../state/app.ts'
import { say } from '../../../platform/toasts.ts'
import { askExport } from '../export/asking.ts'
import type { ExportAsk } from '../export/what.ts'
import { sentence } from '../../../platform/call-error.ts'
import type { Client } from '../../../platform/client.ts'
import { counted } from '../../../ui/text/numbers.ts'
import '../../../ui/Menu.css'

/** In which a delivery can be copied, and what that is called. */
const copyFormats = [
  { format: 'curl', label: 'curl' },
  { format: 'httpie', label: 'HTTPie' },
  { format: 'fetch', label: 'fetch' },
] as const

type CopyFormat = 'markdown' | (typeof copyFormats)[number]['format']

interface Copied {
  /** Of which log; null: the live store. */
  readonly log: number | null
  readonly id: number
  readonly format: CopyFormat
  readonly redact: boolean
  /** Classes of values that stay in although the rest is redacted. */
  readonly keep: readonly KeepableClass[]
}

/** Copies one delivery as text, and says what was redacted in it. */
async function copyAs(client: Client, { log, id, format, redact, keep }: Copied): Promise<void> {
  try {
    const { text, removed, cut } = await client.call('logs.text', {
      log,
      id,
      format,
      redact,
      keep: [...keep],
    })
    await copyText(text)
    say('valid', copiedSentence({ format, redact, keep, removed, cut }), { about: 'copied' })
  } catch (error) {
    say('invalid', `It was not copied. ${sentence(error)}`, { about: 'copied' })
  }
}

interface Outcome {
  readonly format: CopyFormat
  readonly redact: boolean
  readonly keep: readonly KeepableClass[]
  readonly removed: number
  readonly cut: boolean
}

/** What is said once it is on the clipboard. */
export function copiedSentence({ format, redact, keep, removed, cut }: Outcome): string {
  const label = copyFormats.find((one) => one.format === format)?.label
  const what = label === undefined ? 'Copied for a chat' : `Copied as ${label}`
  const out = !redact
    ? 'not redacted: everything is in it'
    : removed === 0
      ? 'nothing was recognized that redaction replaces'
      : `${counted(removed, 'value', 'values')} redacted`
  const kept =
    redact && keep.length > 0
      ? `, kept: ${keep.map((one) => redactedValues[one].label).join(', ')}`
      : ''
  return `${what}, ${out}${kept}.${cut ? ' It was cut at 1 MiB: export it to have all of it.' : ''}`
}

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
            () => say('valid', 'Link copied. It works only on this machine.'),
            () => say('invalid', 'Could not copy the link.'),
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
      <DropdownMenu.Trigger ref={trigger} className="button" title="Copy or export this delivery">
        <Share2 aria-hidden /> Share
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        className="menu"
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
        <DropdownMenu.Label className="pad-y-2 pad-x-4 size-xs weight-semibold tone-dim">
          Redact in copied text
        </DropdownMenu.Label>
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
        <DropdownMenu.Label className="row gap-3 align-center pad-y-2 pad-x-4 size-xs weight-semibold tone-missing icon-xs">
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
