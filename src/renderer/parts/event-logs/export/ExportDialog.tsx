import { Icons } from '#kit/icons.tsx'
import { useEffect, useId, useRef, useState } from 'react'
import type { LogFormatView } from '#contract/logs.ts'
import { Button } from '#kit/Button.tsx'
import { download } from '#kit/clipboard.ts'
import { saveText } from '#kit/storage.ts'
import { Field, SelectField } from '#kit/Field.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { ErrorNote, Loading, Note, WhenLoaded } from '#kit/Note.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient, useQuery } from '#client/use-client.ts'
import { useCan } from '#client/state/app.ts'
import { useLogs } from '#client/state/logs.ts'
import {
  closeExportDialog,
  useExportDialog,
  exportRequest,
  initialDraft,
  formatKey,
  type ExportDraft,
  rehearsalChoices,
  whatErrors,
  type ExportAsk,
} from './selection.ts'
import { isCounting, PreviewPane, usePreview } from './PreviewPane.tsx'
import { Check, Part, WhatFields } from './WhatFields.tsx'
import { formatCount, formatFileTime, plural } from '#shared/text/format.ts'
import { LearnMore } from '#parts/LearnMore.tsx'
import { maskingRules } from '#contract/constants.ts'
import { confirm } from '#kit/Confirm.tsx'
import { Switch } from '#kit/Switch.tsx'
import './Export.css'

const importability = {
  complete: 'can be imported again',
  partial: 'can be imported in part',
  none: null,
} as const satisfies Record<LogFormatView['imports'], string | null>

interface FormatCardsProps {
  formats: readonly LogFormatView[]
  selected: LogFormatView | undefined
  onChange: (id: string) => void
}

function FormatCards({ formats, selected, onChange }: FormatCardsProps) {
  const name = useId()
  return (
    <Part title="Format">
      <div className="grid grid-cols-2 gap-3">
        {formats.map(({ id, label, description, extension }) => (
          <label
            className="format-card flex min-h-(--control-l) items-center justify-between gap-3 rounded-md px-4 py-2"
            key={id}
            data-format={id}
            title={description}
          >
            <input
              type="radio"
              name={name}
              checked={selected?.id === id}
              aria-describedby={`${name}-about`}
              onChange={() => onChange(id)}
            />
            <b>{label}</b>
            <code className="mono text-xs text-mid">.{extension}</code>
          </label>
        ))}
      </div>
      {selected && (
        <div className="min-h-[2lh] text-s text-mid" id={`${name}-about`}>
          {selected.description}
          {importability[selected.imports] !== null && (
            <div className="flex items-center gap-2 font-semibold text-valid icon-xs">
              <Icons.Undo2 /> {importability[selected.imports]}
            </div>
          )}
        </div>
      )}
    </Part>
  )
}

interface IncludeFieldsProps {
  ask: ExportAsk
  draft: ExportDraft
  format: LogFormatView | undefined
  onChange: (change: Partial<ExportDraft>) => void
}

const parts = [
  ['attempts', 'Attempts', 're-sent and forwarded requests, with responses'],
  ['notes', 'Notes and tags', 'your notes and tags on deliveries'],
  [
    'authorization',
    'Authorization',
    'integrations, token history and run records, without secrets',
  ],
] as const

function IncludeFields({ ask, draft, format, onChange }: IncludeFieldsProps) {
  return (
    <Part title="Include">
      {parts.map(([name, label, about]) => (
        <Check
          key={name}
          label={label}
          about={about}
          checked={draft[name]}
          onChange={(event) => onChange({ [name]: event.target.checked })}
        />
      ))}
      <SelectField
        label="Rehearsals"
        value={draft.rehearsals}
        hint={
          draft.rehearsals !== 'none' && format?.rehearsals !== true
            ? 'This format does not contain rehearsals.'
            : undefined
        }
        onChange={({ target }) => {
          const chosen = rehearsalChoices(ask).find(({ which }) => which === target.value)
          onChange({ rehearsals: chosen?.which ?? 'none' })
        }}
      >
        {rehearsalChoices(ask).map(({ which, label }) => (
          <option key={which} value={which}>
            {label}
          </option>
        ))}
      </SelectField>
      {format?.gzip === true && (
        <Check
          label="Compressed"
          about="with gzip, for a smaller file"
          checked={draft.gzip}
          onChange={(event) => onChange({ gzip: event.target.checked })}
        />
      )}
    </Part>
  )
}

/** Asks what to export and how, and previews the content and the redactions. Can be opened from any page. */
export function ExportDialog() {
  const ask = useExportDialog((state) => state.ask)
  const name = useLogs((state) => state.logs.find(({ id }) => id === ask?.log)?.name)
  const query = useQuery('logs.formats', ask && {})
  if (ask === null) return null
  return (
    <Dialog
      open
      onClose={closeExportDialog}
      title={
        name === undefined
          ? `Export ${ask.which === 'none' ? `rehearsal ${ask.rehearsal?.id}` : 'deliveries'}`
          : `Export from “${name}”`
      }
      help={
        <LearnMore page="event-logs" section="export-deliveries" onFollow={closeExportDialog} />
      }
      large
    >
      <WhenLoaded query={query} loading={<Loading label="Loading formats" />}>
        {(formats) => <ExportForm ask={ask} formats={formats} />}
      </WhenLoaded>
    </Dialog>
  )
}

function ExportForm({ ask, formats }: { ask: ExportAsk; formats: readonly LogFormatView[] }) {
  const client = useClient()
  const dialogs = useCan('nativeDialogs')
  const [draft, setDraft] = useState<ExportDraft>(() => initialDraft(ask, formats))
  const change = (part: Partial<ExportDraft>): void =>
    setDraft((before) => ({ ...before, ...part }))
  const format = formats.find(({ id }) => id === draft.format)
  const errors = whatErrors(ask, draft.what)
  const invalid = Object.keys(errors).length > 0
  const request = exportRequest(ask, draft, format)
  const saved = useLogs((state) => state.choices)
  const previewState = usePreview(invalid ? null : request, saved)
  const start = useAction(async () => {
    const name = fileName(new Date(), {
      extension: format?.extension ?? 'txt',
      gzip: request.gzip === true,
      redacted: draft.redact,
    })
    saveText(formatKey, draft.format)
    const to = { kind: dialogs ? 'ask' : 'pull', name } as const
    const { export: started, ticket } = await client.call('logs.export', { ...request, to })
    if (ticket !== null) {
      // The browser downloads the file from the host, so that the page never holds its content.
      const path = [ticket, started.name].map(encodeURIComponent).join('/')
      download(`/exports/${path}`, started.name)
    }
    if (started.state !== 'cancelled') closeExportDialog()
  })
  const { preview, stale } = previewState
  const counted = preview === null || stale || isCounting(preview) ? null : preview
  const badTarget = previewState.error?.code === 'bad_input' && request.target !== ''
  const form = useRef<HTMLFormElement>(null)
  // The dialog opened before the formats were loaded, so the focus is on its only button.
  useEffect(() => form.current?.querySelector<HTMLElement>('input:checked')?.focus(), [])
  const isEmpty = counted?.deliveries === 0 && !counted.rehearsals
  return (
    <form
      className="export-form [&>.dialog-actions]:col-span-full [&>.dialog-actions]:m-0 [&>.note]:col-span-full [&>.note]:m-0"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!invalid && !isEmpty && !badTarget && !start.busy) start.start()
      }}
    >
      <div className="grid min-w-0 content-start gap-7 overflow-auto px-5 py-1 pl-1" data-scrolls>
        <WhatFields
          ask={ask}
          draft={draft.what}
          errors={errors}
          onChange={(what) => change({ what: { ...draft.what, ...what } })}
        />
        <FormatCards
          formats={formats}
          selected={format}
          onChange={(id) => change({ format: id })}
        />
        {format?.sends === true && (
          <Field
            label="Target URL"
            data-mono
            value={draft.target}
            maxLength={8000}
            placeholder="http://127.0.0.1:3000"
            hint="If empty, deliveries are sent to the Tabscope listener. Each delivery’s path is appended."
            error={badTarget ? previewState.error?.message : null}
            onChange={(event) => change({ target: event.target.value })}
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        )}
        <RedactFields draft={draft} onChange={change} />
        <IncludeFields ask={ask} draft={draft} format={format} onChange={change} />
      </div>
      <PreviewPane
        state={previewState}
        redact={draft.redact}
        choices={draft.choices}
        onChoose={(choices) => change({ choices })}
        invalid={invalid || badTarget}
      />
      <ErrorNote error={start.error} />
      <div className="dialog-actions">
        <Button onClick={closeExportDialog}>Cancel</Button>
        <Button
          kind="primary"
          type="submit"
          busy={start.busy}
          disabled={invalid || isEmpty || badTarget}
          icon={Icons.FileOutput}
        >
          Export{' '}
          {counted &&
            (counted.deliveries === 0 && counted.rehearsals
              ? plural(counted.rehearsals, 'rehearsal', 'rehearsals')
              : formatCount(counted.deliveries))}
          {draft.redact ? '' : ', not redacted'}
        </Button>
      </div>
    </form>
  )
}

/** `tabscope-2026-11-21-1430.ndjson`, in local time. The name of a file without redaction contains `not-redacted`. */
export function fileName(
  at: Date,
  of: { readonly extension: string; readonly gzip: boolean; readonly redacted: boolean },
): string {
  const suffix = of.redacted ? '' : '-not-redacted'
  return `tabscope-${formatFileTime(at)}${suffix}.${of.extension}${of.gzip ? '.gz' : ''}`
}

/** Redaction is on unless the user turns it off and confirms. */
function RedactFields({ draft, onChange }: Pick<IncludeFieldsProps, 'draft' | 'onChange'>) {
  const turnOff = (): void =>
    confirm({
      title: 'Export without redaction?',
      description:
        'Anyone who has this file can read everything in it: names and contacts of guests, notes, headers with credentials and signatures. Only do this for your own copy: the file is marked as not redacted. To share it, leave redaction on and keep the fields that support needs.',
      action: 'Turn off for this export',
      run: () => onChange({ redact: false }),
    })
  return (
    <Part title="Redaction">
      <div className="grid grid-cols-auto-1 items-start gap-4">
        <Switch
          label="Redact"
          on={draft.redact}
          onChange={(on) => (on ? onChange({ redact: true }) : turnOff())}
        />
        <p className="text-s text-mid">
          {draft.redact
            ? 'Only values that are known to be harmless are exported as received. The preview shows them by field, and lets you keep or mask others.'
            : 'Off: every value is exported as it is.'}
        </p>
      </div>
      {draft.redact ? (
        <dl className="grid gap-2 text-s text-mid">
          {maskingRules.map(({ what, values }) => (
            <div key={what}>
              <dt className="font-semibold text-ink">{what}</dt>
              <dd>{values}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <Note tone="invalid">The file is marked as not redacted in its header and its name.</Note>
      )}
    </Part>
  )
}
