import { FileOutput, Undo2 } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { LogFormatView } from '#contract/logs.ts'
import { Text, Grid, Row, Stack } from '../../../ui/Layout.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Note } from '../../../ui/Note.tsx'
import { count } from '../../../ui/text/numbers.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient, useQuery } from '../../../platform/use-client.ts'
import { useCan } from '../../../state/app.ts'
import { useLogs } from '../../../state/logs.ts'
import { closeExport, useAsking } from './asking.ts'
import { type ExportDraft, firstDraft, keepFormat, exportRequest } from './draft.ts'
import { PreviewPane } from './PreviewPane.tsx'
import { RedactFields } from './RedactFields.tsx'
import { usePreview, type PreviewRequest } from './use-preview.ts'
import { Part, WhatFields } from './WhatFields.tsx'
import { type ExportAsk, whatFaults } from './what.ts'
import './Export.css'
import type { CallInput } from '#contract/calls.ts'
import { formatFileTime } from '#shared/text/format.ts'
import type { Client } from '../../../platform/client.ts'
import { LearnMore } from '../../help/index.ts'

interface FormatCardsProps {
  readonly formats: readonly LogFormatView[]
  readonly chosen: string
  readonly onChange: (id: string) => void
}

const returning = {
  whole: 'can be imported again',
  in_part: 'can be imported in part',
  no: null,
} as const satisfies Record<LogFormatView['returns'], string | null>

/** The formats there are, and what the chosen one is for. */
function FormatCards({ formats, chosen, onChange }: FormatCardsProps) {
  const name = useId()
  const shown = formats.find(({ id }) => id === chosen)
  return (
    <Part title="Format">
      <Grid columns="1 1" gap={3}>
        {formats.map(({ id, label, about, extension }) => (
          <Row
            as="label"
            gap={3}
            align="center"
            justify="between"
            pad={[2, 4]}
            tall="control-l"
            round="m"
            className="format-card"
            key={id}
            data-format={id}
            title={about}
          >
            <input
              type="radio"
              name={name}
              checked={chosen === id}
              aria-describedby={`${name}-about`}
              onChange={() => onChange(id)}
            />
            <b>{label}</b>
            <Text as="code" mono tone="mid" size="xs">
              .{extension}
            </Text>
          </Row>
        ))}
      </Grid>
      {shown && (
        <Text as="div" tone="mid" size="s" className="format-about" id={`${name}-about`}>
          {shown.about}
          {returning[shown.returns] !== null && (
            <Row gap={2} align="center" tone="valid" weight="semibold" icon="xs">
              <Undo2 aria-hidden /> {returning[shown.returns]}
            </Row>
          )}
        </Text>
      )}
    </Part>
  )
}

interface WithFieldsProps {
  readonly draft: ExportDraft
  readonly canGzip: boolean
  readonly onChange: (change: Partial<ExportDraft>) => void
}

const parts = [
  ['attempts', 'Attempts', 'what was sent again or forwarded, and the answers'],
  ['notes', 'Notes and tags', 'what you wrote about deliveries'],
  [
    'authorization',
    'Authorization',
    'integrations, the life of tokens, records of runs; no secret',
  ],
] as const

/** What goes with the deliveries, where the format has a place for it, and whether the file is compressed. */
function WithFields({ draft, canGzip, onChange }: WithFieldsProps) {
  return (
    <Part title="With them">
      {parts.map(([name, label, about]) => (
        <label key={name} className="check anywhere">
          <input
            type="checkbox"
            checked={draft[name]}
            onChange={(event) => onChange({ [name]: event.target.checked })}
          />
          <span>
            {label}{' '}
            <Text tone="dim" size="s">
              {about}
            </Text>
          </span>
        </label>
      ))}
      {canGzip && (
        <label className="check anywhere">
          <input
            type="checkbox"
            checked={draft.gzip}
            onChange={(event) => onChange({ gzip: event.target.checked })}
          />
          <span>
            Compressed{' '}
            <Text tone="dim" size="s">
              with gzip, smaller by far
            </Text>
          </span>
        </label>
      )}
    </Part>
  )
}

/** Asks what is exported and how, and shows beforehand what is in it and what is taken out. From any page. */
export function ExportDialog() {
  const ask = useAsking((state) => state.ask)
  const name = useLogs((state) => state.logs.find(({ id }) => id === ask?.log)?.name)
  if (ask === null) return null
  return (
    <Dialog
      open
      onClose={closeExport}
      title={name === undefined ? 'Export deliveries' : `Export from “${name}”`}
      help={<LearnMore page="event-logs" section="export-deliveries" onFollow={closeExport} />}
      large
    >
      <Loaded ask={ask} />
    </Dialog>
  )
}

function Loaded({ ask }: { readonly ask: ExportAsk }) {
  const { state, reload } = useQuery('logs.formats', {})
  switch (state.phase) {
    case 'loading':
      return <div className="detail-coming" role="status" aria-label="Asking for the formats" />
    case 'failed':
      return (
        <Note tone="invalid" alert action={<Button onClick={reload}>Try again</Button>}>
          {state.message}
        </Note>
      )
    case 'ready':
      return <Form ask={ask} formats={state.value} />
  }
}

interface FormProps {
  readonly ask: ExportAsk
  readonly formats: readonly LogFormatView[]
}

function Form({ ask, formats }: FormProps) {
  const client = useClient()
  const dialogs = useCan('nativeDialogs')
  const [draft, setDraft] = useState<ExportDraft>(() => firstDraft(ask, formats, Date.now()))
  const change = (part: Partial<ExportDraft>): void =>
    setDraft((before) => ({ ...before, ...part }))
  const format = formats.find(({ id }) => id === draft.format)
  const faults = whatFaults(ask, draft.what)
  const wrong = Object.keys(faults).length > 0
  const wish = exportRequest(ask, draft, format)
  const looked = usePreview(wrong ? null : wish)
  const start = useAction(async () => {
    const name = fileName(new Date(), {
      extension: format?.extension ?? 'txt',
      gzip: wish.gzip === true,
      redacted: draft.redact,
    })
    keepFormat(draft.format)
    if (await startExport(client, wish, { name, dialogs })) closeExport()
  })
  const { preview, stale } = looked
  const blamed = looked.error?.code === 'bad_input' ? blame(wish) : null
  const form = useRef<HTMLFormElement>(null)
  // The dialog was there before the formats were, and has given the focus to its only button.
  useEffect(() => form.current?.querySelector<HTMLElement>('input:checked')?.focus(), [])
  const none = preview !== null && !stale && preview.deliveries === 0
  return (
    <form
      className="export-form"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!wrong && !none && blamed === null && !start.busy) start.start()
      }}
    >
      <Stack gap={7} shrink scroll pad={[1, 5]} className="export-wish" data-scrolls>
        <WhatFields
          ask={ask}
          draft={draft.what}
          faults={faults}
          onChange={(what) => change({ what: { ...draft.what, ...what } })}
        />
        <FormatCards
          formats={formats}
          chosen={draft.format}
          onChange={(id) => change({ format: id })}
        />
        {format?.sends === true && (
          <Field
            label="Where it sends them"
            data-mono
            value={draft.target}
            maxLength={8000}
            placeholder="http://127.0.0.1:3000"
            hint="Empty: to our own listener. Each delivery’s path is put behind it."
            error={blamed === 'target' ? looked.error?.message : null}
            onChange={(event) => change({ target: event.target.value })}
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        )}
        <RedactFields
          draft={draft}
          refused={blamed === 'rules' ? (looked.error?.message ?? null) : null}
          onChange={change}
        />
        <WithFields draft={draft} canGzip={format?.gzip === true} onChange={change} />
      </Stack>
      <PreviewPane looked={looked} redact={draft.redact} wrong={wrong || blamed !== null} />
      {start.error !== null && (
        <Note tone="invalid" alert>
          {sentence(start.error)}
        </Note>
      )}
      <div className="dialog-actions">
        <Button onClick={closeExport}>Cancel</Button>
        <Button
          kind="primary"
          type="submit"
          busy={start.busy}
          disabled={wrong || none || blamed !== null}
          icon={<FileOutput aria-hidden />}
        >
          {preview === null || stale ? 'Export' : `Export ${count(preview.deliveries)}`}
          {draft.redact ? '' : ', not redacted'}
        </Button>
      </div>
    </form>
  )
}

/** Which field is at fault when the wish is refused: what was checked already, or was taken before, is not. */
function blame({ target, rules }: PreviewRequest): 'target' | 'rules' | null {
  if (target !== undefined && target !== '') return 'target'
  return (rules ?? []).length > 0 ? 'rules' : null
}

interface Naming {
  readonly extension: string
  readonly gzip: boolean
  readonly redacted: boolean
}

/** `tabscope-2026-11-21-1430.ndjson`, in the zone of this machine; a file with everything in it says so by its name as well. */
export function fileName(at: Date, { extension, gzip, redacted }: Naming): string {
  const mark = redacted ? '' : '-not-redacted'
  const end = gzip ? `${extension}.gz` : extension
  return `tabscope-${formatFileTime(at)}${mark}.${end}`
}

/**
 * Begins it: the host asks where to where it has dialogs, else the browser takes it as a download, straight from the host, so that nothing of
 * it is held here. False: the user has changed their mind.
 */
async function startExport(
  client: Client,
  wish: PreviewRequest,
  { name, dialogs }: { readonly name: string; readonly dialogs: boolean },
): Promise<boolean> {
  const to = { kind: dialogs ? 'ask' : 'pull', name } satisfies CallInput<'logs.export'>['to']
  const { export: begun, ticket } = await client.call('logs.export', { ...wish, to })
  if (ticket !== null) download(ticket, begun.name)
  return begun.state !== 'cancelled'
}

function download(ticket: string, name: string): void {
  const link = document.createElement('a')
  link.href = `/exports/${encodeURIComponent(ticket)}/${encodeURIComponent(name)}`
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
}
