import type { CallOutput } from '#contract/calls.ts'
import { Icons } from '#kit/icons.tsx'
import { DropdownMenu } from 'radix-ui'
import { copyText } from '#kit/clipboard.ts'
import { useClient } from '#client/use-client.ts'
import { useKeys } from '#client/command-registry.ts'
import { linkTo } from '#client/addresses/deliveries.ts'
import { useCan } from '#client/state/app.ts'
import { toast } from '#kit/toasts.ts'
import { openExportDialog, type ExportAsk } from './export/selection.ts'
import { messageOf } from '#kit/use-action.ts'
import type { Client, ClientInput } from '#client/client.ts'
import { plural } from '#shared/text/format.ts'
import { MenuItem, MenuLine } from '#kit/Menu.tsx'

const copyFormats = [
  { format: 'curl', label: 'curl' },
  { format: 'fetch', label: 'fetch' },
] as const

type CopyFormat = 'markdown' | (typeof copyFormats)[number]['format']

type CopyRequest = ClientInput<'logs.text'>

async function copyAs(client: Client, request: CopyRequest): Promise<void> {
  try {
    const { text, removed, cut } = await client.call('logs.text', request)
    await copyText(text)
    toast('valid', copyMessage({ ...request, removed, cut }), { about: 'copied' })
  } catch (error) {
    toast('invalid', `Could not copy. ${messageOf(error)}`, { about: 'copied' })
  }
}

type CopyResult = CopyRequest & Omit<CallOutput<'logs.text'>, 'text'>

/** The message after a copy. */
function copyMessage({ format, redact, removed, cut }: CopyResult): string {
  const label = copyFormats.find((entry) => entry.format === format)?.label
  const what = label === undefined ? 'Copied for a chat' : `Copied as ${label}`
  const redaction = redact
    ? `redacted: ${plural(removed, 'alias or masked value', 'aliases and masked values')}`
    : 'not redacted: it contains all values'
  return `${what}, ${redaction}.${cut ? ' Truncated at 1 MiB. Export it to get everything.' : ''}`
}

interface Target {
  /** Null: the live store. */
  readonly log: number | null
  readonly id: number
  readonly title: string
}

/** What shares one delivery as text for a chat or a shell, or as a file, with its keys. */
export function useShare({ log, id, title }: Target) {
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
  const exportIt = (which: ExportAsk['which']): void =>
    openExportDialog({ log, which, selected: [id], traceOf: { id, title } })
  return { copy, copyLink, exportIt }
}

/** The items of a menu that share a delivery. Redacted unless the item says otherwise. */
export function ShareItems({
  share: { copy, copyLink, exportIt },
}: {
  share: ReturnType<typeof useShare>
}) {
  return (
    <>
      <MenuItem
        icon={Icons.MessageSquareText}
        hint="y"
        note="as Markdown, redacted"
        onSelect={() => copy('markdown', true)}
      >
        Copy for a chat
      </MenuItem>
      {copyLink !== null && (
        <MenuItem icon={Icons.Link2} onSelect={copyLink}>
          Copy link
        </MenuItem>
      )}
      {copyFormats.map(({ format, label }) => (
        <MenuItem key={format} icon={Icons.Terminal} onSelect={() => copy(format, true)}>
          Copy as {label}
        </MenuItem>
      ))}
      <MenuItem icon={Icons.FileOutput} onSelect={() => exportIt('selected')}>
        Export this delivery…
      </MenuItem>
      <MenuItem icon={Icons.Route} onSelect={() => exportIt('trace')}>
        Export its trace…
      </MenuItem>
      <MenuLine />
      <DropdownMenu.Label className="flex items-center gap-3 px-4 py-2 text-xs font-semibold text-warning icon-xs">
        <Icons.TriangleAlert /> Not redacted, for your own use
      </DropdownMenu.Label>
      {copyFormats.map(({ format, label }) => (
        <MenuItem
          key={format}
          icon={Icons.ClipboardCopy}
          note="with all values"
          onSelect={() => copy(format, false)}
        >
          Copy as {label}
        </MenuItem>
      ))}
    </>
  )
}
