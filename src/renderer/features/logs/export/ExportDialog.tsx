import { FileOutput, Undo2 } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { LogFormatView } from '#contract/logs.ts'
import { Button } from '../../../components/Button.tsx'
import { Field } from '../../../components/Field.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { Note } from '../../../components/Note.tsx'
import { count } from '../../../components/text/numbers.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient, useQuery } from '../../../platform/use-client.ts'
import { useCan } from '../../shell/store.ts'
import { useLogs } from '../store.ts'
import { closeExport, useAsking } from './asking.ts'
import { type ExportDraft, firstDraft, keepFormat, exportRequest } from './draft.ts'
import { PreviewPane } from './PreviewPane.tsx'
import { RedactFields } from './RedactFields.tsx'
import { usePreview, type PreviewRequest } from './use-preview.ts'
import { WhatFields } from './WhatFields.tsx'
import { type ExportAsk, whatFaults } from './what.ts'
import './Export.css'
import type { CallInput } from '#contract/calls.ts'
import type { Client } from '../../../platform/client.ts'

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
    <fieldset className="export-part">
      <legend>Format</legend>
      <div className="format-cards">
        {formats.map(({ id, label, about, extension }) => (
          <label key={id} className="format-card" data-format={id} title={about}>
            <input
              type="radio"
              name={name}
              checked={chosen === id}
              aria-describedby={`${name}-about`}
              onChange={() => onChange(id)}
            />
            <b>{label}</b>
            <code className="mono">.{extension}</code>
          </label>
        ))}
      </div>
      {shown && (
        <p className="format-about" id={`${name}-about`}>
          {shown.about}
          {returning[shown.returns] !== null && (
            <span className="format-returns">
              <Undo2 aria-hidden /> {returning[shown.returns]}
            </span>
          )}
        </p>
      )}
    </fieldset>
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
    <fieldset className="export-part">
      <legend>With them</legend>
      {parts.map(([name, label, about]) => (
        <label key={name} className="export-choice">
          <input
            type="checkbox"
            checked={draft[name]}
            onChange={(event) => onChange({ [name]: event.target.checked })}
          />
          <span>
            {label} <span className="dim">{about}</span>
          </span>
        </label>
      ))}
      {canGzip && (
        <label className="export-choice">
          <input
            type="checkbox"
            checked={draft.gzip}
            onChange={(event) => onChange({ gzip: event.target.checked })}
          />
          <span>
            Compressed <span className="dim">with gzip, smaller by far</span>
          </span>
        </label>
      )}
    </fieldset>
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
      <div className="export-wish" data-scrolls>
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
      </div>
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
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  const mark = redacted ? '' : '-not-redacted'
  const end = gzip ? `${extension}.gz` : extension
  return `tabscope-${day}-${two(at.getHours())}${two(at.getMinutes())}${mark}.${end}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
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
